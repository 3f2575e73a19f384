//! Tests of the output of `hippo reproduce`.

use crate::common::{file, folder, json, run};
use std::fs;

#[test]
fn small_experiments_have_verdicts_and_a_summary() {
    let ids = "hk2005.table1 hk2005.table2 hk2005.warnsdorff6 gs2004.fig2-3 tcd2020.ties50";
    let ran = run(&format!("reproduce {ids} --quiet"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let last = ran.out.lines().last().expect("a summary");
    let expected = "107 cells exact, 0 within error, 1 differ (explained), 3 errata, 2 claims hold";
    assert!(last.starts_with(expected), "{last}");
    let result = json("reproduce hk2005.warnsdorff6 --json --quiet");
    assert_eq!((&result["id"], &result["scale"]), (&"hk2005.warnsdorff6".into(), &"quick".into()));
    let cells = result["cells"].as_array().expect("cells");
    for cell in cells {
        for key in ["name", "paper", "ours", "verdict"] {
            assert!(cell.get(key).is_some(), "no '{key}' in {cell}");
        }
    }
    assert_eq!((&cells[0]["ours"], &cells[0]["verdict"]), (&1984.0.into(), &"exact".into()));
}

#[test]
fn finished_experiments_of_a_folder_are_not_run_again() {
    let place = folder("reproduce-folder");
    let command = format!("reproduce hk2005.table2 --out {}", place.display());
    let first = run(&command);
    assert!(first.code == 0 && first.err.contains("hk2005.table2"), "{}", first.err);
    let page = fs::read_to_string(place.join("REPRODUCTION.md")).expect("a page");
    assert!(page.contains("## hk2005.table2") && page.contains("## Errata"));
    let record = place.join("records/quick/hk2005.table2.json");
    let text = fs::read_to_string(&record).expect("a record");
    let again = run(&command);
    assert_eq!((again.code, again.err.as_str(), &again.out), (0, "", &first.out));
    assert_eq!(fs::read_to_string(&record).expect("a record"), text);
    // A changed number gets a new verdict, because the page is made from the records alone.
    fs::write(&record, text.replace("\"tours\":320.0", "\"tours\":321.0")).expect("written");
    let changed = run(&format!("{command} --page"));
    assert_eq!((changed.code, changed.err.as_str()), (1, ""), "a difference without a reason");
    fs::write(&record, "{").expect("written");
    let damaged = run(&command);
    assert!(damaged.code == 1 && damaged.err.contains("is not a record"), "{}", damaged.err);
}

#[test]
fn user_definitions_are_run() {
    let text = "paper = 'mine'\nquestion = 'q?'\nanswer = 'a.'\n[probe.m]\nboards = ['5x5']\n\
                solver = 'backtrack'\nall = true\n[[cell]]\nname = 'tours'\npaper = '1,728'\n\
                ours = 'm.tours'\nrule = 'exact'\nvalue = 1728.0\n";
    let path = file("mine.toml", text);
    let place = std::path::Path::new(&path).parent().expect("a folder").display().to_string();
    let ran = run(&format!("reproduce mine --from {place} --quiet"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.ends_with("1 cells exact, 0 within error, 0 differ (explained), 0 errata\n"));
    fs::write(&path, text.replace("backtrack", "backtrak")).expect("written");
    let wrong = run(&format!("reproduce mine --from {place}"));
    assert!(wrong.code == 2 && wrong.err.contains("backtrak"), "{}", wrong.err);
}

#[test]
fn all_experiments_are_listed_and_unknown_ones_rejected() {
    let ran = run("reproduce --list");
    assert_eq!(ran.code, 0);
    for id in [
        "hk2004.dfs hk2004.warnsdorff hk2004.ace hk2004.fig1 hk2004.fig2 hk2004.restarts",
        "hk2004.allstarts hk2004.deposit hk2004.rho-alpha hk2005.fig3 hk2005.table1 hk2005.table2",
        "hk2005.fig4 hk2005.table3 hk2005.warnsdorff6 hk2005.fig5 hk2005.hashing hk2005.fig6",
        "hk2005.table4 hk2005.prediction hk2005.dfs8 hk2005.cost gs2004.fig2-3 gs2004.scan",
        "gs2004.n75 gs2004.fig4-5 gs2004.fig6-7 gs2004.fig8-9 gs2004.fig10-11 gs2004.fig12",
        "ag2007.fig3 ag2007.fig4 ag2007.fig5 ag2007.table1 tcd2020.fig2 tcd2020.nn-rate",
        "tcd2020.nn-growth tcd2020.aco-rate tcd2020.ties50 tcd2020.improvements",
    ]
    .iter()
    .flat_map(|line| line.split(' '))
    {
        assert!(ran.out.lines().any(|line| line.split(' ').next() == Some(id)), "{id}");
    }
    for (arguments, words) in [
        ("reproduce hk2005.tabel1", "did you mean hk2005.table1?"),
        ("reproduce --scale huge", "huge"),
        ("reproduce --page", "--out"),
        ("reproduce --from /nowhere", "/nowhere"),
    ] {
        let ran = run(arguments);
        assert!(ran.code == 2 || ran.code == 1, "{arguments}");
        assert!(ran.err.contains(words), "{arguments}: {}", ran.err);
    }
}
