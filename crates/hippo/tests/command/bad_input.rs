//! Tests that invalid input gives the right exit code, and one sentence that names the input and says what to
//! type.

use crate::common::{Ran, feed, file, finish, hippo, run};

fn assert_rejected(what: &str, ran: &Ran, code: i32, fragment: &str) {
    assert_eq!(ran.code, code, "{what}: {}", ran.err);
    assert!(ran.err.starts_with("hippo: "), "{what}: {}", ran.err);
    assert!(ran.err.ends_with('\n') && ran.err.lines().count() == 1, "{what}: {}", ran.err);
    assert!(ran.err.contains(fragment), "{what}: '{fragment}' is not in: {}", ran.err);
    assert!(!ran.err.contains("panicked") && !ran.err.contains("Usage:"), "{what}: {}", ran.err);
    assert_eq!(ran.out, "", "{what}");
}

fn assert_all_rejected(table: &[(&str, i32, &str)]) {
    for &(arguments, code, fragment) in table {
        assert_rejected(arguments, &run(arguments), code, fragment);
    }
}

#[test]
fn invalid_boards_say_how_to_write_one() {
    assert_all_rejected(&[
        ("find", 2, "write ROWSxCOLS"),
        ("find 0x5", 2, "board '0x5' has no squares"),
        ("find -3x4", 2, "'-3x4' is not a board; write ROWSxCOLS with sides of at least 1"),
        ("find 4x-3", 2, "'4x-3' is not a board"),
        ("find 8x", 2, "'8x' is not a board; write ROWSxCOLS"),
        ("find 8x8x8", 2, "'8x8x8' is not a board"),
        ("find 1000000x1000000", 2, "3.6 TiB; use at most 4,294,967,294 squares"),
        ("find 65536x65536", 2, "too large"),
        ("enumerate 0x5", 2, "both sides must be at least 1"),
        ("board eight", 2, "'eight' is not a board"),
        ("check --board 8", 2, "'8' is not a board"),
        ("find 8x8 --leaper 1", 2, "'1' is not a leaper; write two whole numbers"),
        ("find 8x8 --leaper 0,0", 2, "not both 0"),
    ]);
}

#[test]
fn invalid_squares_and_holes_name_the_valid_ones() {
    assert_all_rejected(&[
        ("find 8x8 --holes z9", 2, "square 'z9' is not on the 8x8 board; its squares run from a1"),
        ("find 2x2 --holes a1,a2,b1,b2", 2, "every square of the 2x2 board is a hole"),
        ("find 8x8 --start q", 2, "'q' is not a square; write the letter of its column"),
        ("find 8x8 --end i1", 2, "its squares run from a1 to h8"),
        ("find 8x8 --holes a1 --start a1", 2, "square a1 is a hole"),
        ("find 8x8 --start a1 --end a1", 2, "start and end are both a1"),
        ("enumerate 8x8 --start a1 --end A1", 2, "change --start or --end"),
        ("board --holes a1", 2, "--holes needs a board"),
    ]);
}

#[test]
fn invalid_solvers_and_parameters_suggest_a_name_or_the_range() {
    assert_all_rejected(&[
        ("find 8x8 --solver warnsdorf", 2, "did you mean warnsdorff?"),
        ("find 8x8 --solver zzz", 2, "choose from backtrack, "),
        ("solvers exat", 2, "did you mean exact?"),
        ("find 8x8 --solver warnsdorff --param tis=all", 2, "did you mean ties?"),
        (
            "find 8x8 --solver warnsdorff:ties=foo",
            2,
            "invalid value 'foo' for ties: expected one of random, fixed",
        ),
        ("find 8x8 --solver warnsdorff --param ties", 2, "write name=value"),
        ("find 8x8 --solver scan --param probe=0", 2, "a whole number of at least 1"),
        ("find 8x8 --solver backtrack --param order=012", 2, "a permutation of 0 to 7"),
        ("enumerate 5x5 --solver warnsdorff --all", 2, "give a budget such as --attempts 1M"),
    ]);
}

#[test]
fn boards_written_in_other_ways_are_suggested() {
    let graph = file("petersen.hcp", "1 2\n2 3\n");
    let mask = file("ring.txt", "...\n.#.\n...\n");
    assert_all_rejected(&[
        ("find 8 8", 2, "unexpected argument '8'; did you mean 8x8?"),
        ("find --closed 5 6 --seed 3", 2, "did you mean 5x6?"),
        ("count 5 x 6", 2, "did you mean 5x6?"),
        ("find 8", 2, "'8' is not a board; did you mean 8x8?"),
        ("find 8*9", 2, "'8*9' is not a board; did you mean 8x9?"),
        ("find petersen.hcp", 2, "did you mean --graph petersen.hcp?"),
        (&format!("count {graph}"), 2, &format!("did you mean --graph {graph}?")),
        (&format!("find {mask}"), 2, &format!("did you mean --mask {mask}?")),
        ("find 8x8 9x9", 2, "unexpected argument '9x9'; leave it out"),
    ]);
}

#[test]
fn synonyms_of_commands_are_suggested() {
    assert_all_rejected(&[
        ("solve 8x8", 2, "there is no command 'solve'; did you mean find?"),
        ("generate 8x8", 2, "did you mean find or sample?"),
        ("list 5x5", 2, "did you mean enumerate?"),
        ("animate", 2, "did you mean draw -o tour.gif?"),
        ("show", 2, "did you mean draw?"),
        ("Plot", 2, "did you mean draw?"),
        ("verify", 2, "did you mean check?"),
        ("benchmark", 2, "did you mean race?"),
        ("version", 2, "did you mean --version?"),
    ]);
}

#[test]
fn synonyms_of_options_are_suggested_where_the_command_has_them() {
    assert_all_rejected(&[
        ("enumerate 5x5 --limit 3", 2, "unexpected argument '--limit'; did you mean --tours?"),
        ("enumerate 5x5 -n 3", 2, "unexpected argument '-n'; did you mean --tours?"),
        ("race 5x5 --solvers mace --count 3", 2, "did you mean --tours?"),
        ("job plan 5x5 --limit 3", 2, "unexpected argument '--limit'; did you mean --tours?"),
        ("sample 5x5 --count 3", 2, "did you mean --tours?"),
        ("find 8x8 -n 3", 2, "did you mean hippo enumerate --tours N?"),
        ("draw -n 2", 2, "did you mean --tour?"),
        ("count --size 8", 2, "did you mean the board alone, as in 8x8?"),
        ("find --size 8", 2, "in pixels (the board is given without an option"),
        ("find 8x8 --out t.svg", 2, "did you mean --output?"),
        ("enumerate 5x5 --output d", 2, "did you mean --out?"),
        ("enumerate 5x5 -o d", 2, "did you mean --out?"),
        ("find 8x8 --algorithm exact", 2, "did you mean --solver?"),
        ("race 8x8 --method exact", 2, "did you mean --solvers?"),
        ("find 8x8 -solver exact", 2, "did you mean --solver?"),
        ("find 8x8 --timeout 3s", 2, "did you mean --time?"),
        ("find 8x8 --jobs 3", 2, "did you mean --threads?"),
        ("find 8x8 --svg", 2, "did you mean -o tour.svg?"),
        ("find 8x8 --cyclic", 2, "did you mean --closed?"),
        ("find 8x8 --colour red", 2, "see 'hippo find --help'"),
    ]);
}

#[test]
fn synonyms_of_solvers_are_suggested() {
    assert_all_rejected(&[
        ("find 8x8 --solver dfs", 2, "there is no solver 'dfs'; did you mean backtrack?"),
        ("find 8x8 --solver bruteforce", 2, "did you mean backtrack?"),
        ("find 8x8 --solver brute-force", 2, "did you mean backtrack?"),
        ("race 8x8 --solvers exact,aco", 2, "there is no solver 'aco'; did you mean ace or mace?"),
        ("solvers ant", 2, "did you mean ace or mace?"),
        ("solvers genetic", 2, "did you mean ga-repair or ga-heuristic?"),
    ]);
}

#[test]
fn parser_errors_become_one_sentence() {
    assert_all_rejected(&[
        ("--quiet", 2, "no command is given; choose from find, enumerate"),
        ("fnd 8x8", 2, "there is no command 'fnd'; did you mean find?"),
        ("frobnicate", 2, "choose from find, enumerate"),
        ("rice 8x8", 2, "did you mean race?"),
        ("milk", 2, "choose from find, enumerate"),
        ("man frobnicate", 2, "there is no command 'frobnicate'"),
        ("find 8x8 --slver exact", 2, "unexpected argument '--slver'; did you mean --solver?"),
        ("find 8x8 --zzzzzz", 2, "see 'hippo find --help'"),
        ("find 8x8 9x9", 2, "unexpected argument '9x9'"),
        ("find 8x8 --solver", 2, "--solver needs a value; write --solver NAME"),
        ("find 8x8 --format", 2, "--format needs a value; choose from grid, moves"),
        ("find 8x8 --format bmp", 2, "choose from grid, moves, digits, json, tsplib, csv"),
        ("find 8x8 --format gird", 2, "did you mean grid?"),
        ("find 8x8 --seed 1 --seed 2", 2, "--seed is given twice"),
        ("find 8x8 --param ties=all", 2, "--solver NAME is missing"),
        ("enumerate 5x5 --format grid", 2, "--print is missing"),
        ("enumerate 5x5 --all --tours 3", 2, "--all and --tours do not go together"),
        ("completions", 2, "SHELL is missing"),
        ("completions cmd", 2, "choose from bash, elvish"),
        ("check --from roman", 2, "write one of grid, moves, digits, json, tsplib"),
    ]);
}

#[test]
fn numbers_out_of_range_say_the_range() {
    assert_all_rejected(&[
        ("find 8x8 --threads 0", 2, "write a whole number from 1 to 1024"),
        ("find 8x8 --threads many", 2, "write a whole number from 1 to 1024"),
        (
            "find 8x8 --seed -1",
            2,
            "invalid value '-1' for --seed; write a whole number of at least 0",
        ),
        ("find 8x8 --attempts 0", 2, "write a number of at least 1, such as 1000, 20k or 172.8M"),
        ("find 8x8 --attempts 1.5", 2, "write a whole number"),
        ("find 8x8 --moves -5", 2, "invalid value '-5' for --moves; write"),
        ("find 8x8 --time 0", 2, "write a time, as in 30s"),
        ("find 8x8 --size 3", 2, "write a whole number from 64 to 8192"),
        ("enumerate 5x5 --tours 0", 2, "write a number of at least 1"),
        ("enumerate 5x5 --memory lots", 2, "as in 512M or 2G"),
        ("draw --tour 0", 2, "write a number of at least 1"),
    ]);
}

#[test]
fn tuning_says_what_can_be_varied_and_how() {
    assert_all_rejected(&[
        ("tune 5x5 --vary alfa=1,2", 2, "solver ace has no parameter 'alfa'; did you mean alpha?"),
        (
            "tune 5x5 --vary alpha=1,11",
            2,
            "invalid value '11' for alpha: expected a number from 0 to 10",
        ),
        ("tune 5x5 --vary alpha=", 2, "'alpha=' has an empty value: write the values with commas"),
        ("tune 5x5 --vary alpha", 2, "expected name=value,value or name=from..to:step"),
        ("tune 5x5 --vary alpha=1..2", 2, "invalid range '1..2': expected from..to:step"),
        ("tune 5x5 --vary alpha=1 --param alpha=2", 2, "alpha is given more than once"),
        (
            "tune 5x5 --solver warnsdorff",
            2,
            "its parameters are ties, backtrack, order; choose one with --vary NAME=VALUES",
        ),
        ("tune 5x5 --solver ants-random", 2, "has no parameter alpha"),
        ("tune 5x5 --solver acee", 2, "did you mean ace?"),
        ("tune 5x5 --runs 0", 2, "write a whole number from 1"),
        ("tune 5x5 --attempts 9 --curves -", 2, "give --curves a file"),
        ("tune 5x5 --closed --attempts 9", 3, "Schwenk"),
        ("enumerate 5x5 --all --curve -", 2, "give --curve a file"),
        ("enumerate 5x5 --solver mace --dedup none --curve c", 2, "turned off; leave out --dedup"),
    ]);
}

#[test]
fn unsupported_formats_are_rejected_before_the_search() {
    let triangle = file("formats.edges", "1 2\n2 3\n3 1\n");
    assert_all_rejected(&[
        ("find 8x8 --leaper 1,2+0,1 --format digits", 2, "use grid, moves, json or tsplib"),
        (&format!("find --quiet --graph {triangle} --format grid"), 2, "is not a board"),
        ("enumerate 5x5 --print --format svg", 2, "use --format moves, digits"),
        ("enumerate 0x0 --print --format svg", 2, "board '0x0' has no squares"),
    ]);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    for arguments in ["find --graph", "find --mask", "check", "convert", "draw", "board --graph"] {
        let missing = run(&format!("{arguments} no-such-file"));
        assert_rejected(arguments, &missing, 1, "cannot read no-such-file: no such file");
        let folder = run(&format!("{arguments} {}", env!("CARGO_TARGET_TMPDIR")));
        assert_rejected(arguments, &folder, 1, "is a directory");
        let binary = file("binary", b"\xff\xfe\x00\x80\n\x9f");
        let ran = run(&format!("{arguments} {binary}"));
        assert_rejected(arguments, &ran, 1, "is not text");
    }
}

#[test]
fn malformed_masks_and_graphs_name_the_line() {
    for (text, fragment) in [
        ("...\n..\n", "mask line 2 has 2 characters, but line 1 has 3"),
        ("...\n.x.\n", "mask line 2 has the character 'x'"),
        ("##\n##\n", "every square of the 2x2 board is a hole"),
        ("", "is empty; write one line per row"),
    ] {
        let mask = file("wrong.mask", text);
        assert_rejected(text, &run(&format!("find --mask {mask}")), 1, fragment);
    }
    let hcp = "NAME: x\nTYPE: HCP\nDIMENSION: 3\nEDGE_DATA_FORMAT: EDGE_LIST\n\
               EDGE_DATA_SECTION\n1 2\n2 9\n-1\nEOF\n";
    for (text, fragment) in [
        (hcp, "line 7: '9' is not a vertex; write a number from 1 to 3"),
        ("1 2\n2 3 4\n", "line 2: found 3 words, but an edge is two vertex names"),
        ("", "line 1: the file has no vertices"),
    ] {
        let graph = file("wrong.graph", text);
        assert_rejected(text, &run(&format!("find --graph {graph}")), 1, fragment);
    }
    let mask = file("right.mask", "...\n...\n");
    let ran = run(&format!("find 8x8 --mask {mask}"));
    assert_rejected("mask", &ran, 2, "the mask is 2x3, but the board is 8x8");
}

#[test]
fn graphs_take_their_own_vertex_names_and_no_board() {
    let triangle = file("triangle.edges", "one two\ntwo three\nthree one\n");
    let with = |more: &str| run(&format!("find --quiet --graph {triangle} {more}"));
    assert_rejected("start", &with("--start a1"), 2, "'a1' is not a vertex of graph");
    assert_rejected("board", &with("8x8"), 2, "leave one out");
    assert_rejected("holes", &with("--holes a1"), 2, "--graph and --holes do not go together");
    let found = with("--start two --end one");
    assert_eq!((found.code, found.out.as_str()), (0, "two three one\n"));
}

#[test]
fn tours_that_cannot_be_read_name_the_line() {
    for arguments in ["convert", "draw"] {
        let ran = feed(arguments, "");
        assert_rejected(arguments, &ran, 1, "standard input: line 1: there is no tour here");
        let mut ran = feed(arguments, "a1\na1 zz\n");
        // Tours are converted one after another, so those before the error are written.
        if arguments == "convert" {
            assert_eq!(std::mem::take(&mut ran.out), "a1\n");
        }
        assert_rejected(arguments, &ran, 1, "line 2: step 2: 'zz' is not a square");
        let ran = feed(arguments, "{\"squares\":[\"a1\"");
        assert_rejected(arguments, &ran, 1, "not a tour in JSON");
    }
    assert_rejected("tour 3", &feed("draw --tour 3", "a1\n"), 2, "there is no tour 3");
    assert_rejected(
        "pictures",
        &feed("convert --format svg", "a1\na1\n"),
        2,
        "a picture shows one",
    );
}

#[test]
fn control_characters_in_the_input_are_escaped() {
    let mut command = hippo("find");
    command.arg("8x8\nrm -rf\u{1b}[31m");
    assert_rejected("newline", &finish(command), 2, "'8x8\\nrm -rf\\u{1b}[31m' is not a board");
}

#[test]
fn a_board_that_does_not_fit_in_memory_is_rejected() {
    let Ok(memory) = std::fs::read_to_string("/proc/meminfo") else { return };
    let line = memory.lines().find_map(|l| l.strip_prefix("MemAvailable:")).unwrap_or("0 kB");
    let available = line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024;
    let threads = 64;
    assert!(available < 60_000 * 60_000 * 5 * threads, "a large machine: give more threads");
    // Without --solver, find builds the tour and needs less memory.
    for command in ["find", "enumerate"] {
        let ran = run(&format!("{command} 60000x60000 --solver warnsdorff --threads {threads}"));
        assert_rejected(command, &ran, 1, "the search needs about 1.1 TiB of memory, but");
    }
    let impossible = run("find 59999x59999 --closed --threads 64");
    assert_rejected("odd", &impossible, 3, "Schwenk");
    assert_eq!(run("board 60000x60000").code, 0);
}
