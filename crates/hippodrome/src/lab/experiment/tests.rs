use super::*;
use crate::search::Control;
use std::collections::BTreeMap;

#[test]
fn every_definition_is_parsed_and_every_file_is_one() {
    let definitions = experiments().unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| name.strip_suffix(".toml").unwrap().to_string())
        .filter(|name| name != "errata")
        .collect();
    let mut ids: Vec<String> = definitions.iter().map(|d| d.id.clone()).collect();
    files.sort();
    ids.sort();
    assert_eq!(files, ids);
}

fn record(values: &[(&str, &[f64])]) -> ExperimentRecord {
    let measured = |v: &f64, name: &str| Measured {
        values: BTreeMap::from([(name.to_string(), *v)]),
        ..Measured::default()
    };
    let probe = |&(path, values): &(&str, &[f64])| {
        let (probe, name) = path.split_once('.').unwrap();
        let runs = values.iter().map(|v| measured(v, name)).collect();
        (probe.to_string(), ProbeRuns { checksum: String::new(), runs })
    };
    ExperimentRecord {
        id: "x".into(),
        scale: "quick".into(),
        version: "0".into(),
        seed: 1,
        probes: values.iter().map(probe).collect(),
    }
}

fn cell(text: &str) -> Definition {
    let whole = format!(
        "paper='p'\nquestion='q'\nanswer='a'\n[probe.a]\nboards=['5x5']\nsolver='mace'\n\
         [probe.b]\nboards=['5x5']\nsolver='mace'\n[[cell]]\nname='n'\n{text}\n"
    );
    Definition::parse("x", &whole).unwrap()
}

#[track_caller]
fn judged(text: &str, values: &[(&str, &[f64])]) -> (CellVerdict, Option<f64>) {
    let definition = cell(text);
    let judged = judge(&definition.cell[0], &record(values), ExperimentScale::Full);
    (judged.verdict, judged.ours)
}

#[test]
fn verdicts_follow_the_rules() {
    let exact = "ours='a.tours'\nrule='exact'\nvalue=5.0";
    assert_eq!(judged(exact, &[("a.tours", &[5.0])]), (CellVerdict::Exact, Some(5.0)));
    assert_eq!(judged(exact, &[("a.tours", &[6.0])]).0, CellVerdict::Differs);
    assert_eq!(judged(exact, &[]).0, CellVerdict::NotRun);
    let erratum = "ours='a.tours'\nrule='erratum'\nvalue=5.0";
    assert_eq!(judged(erratum, &[("a.tours", &[5.0])]).0, CellVerdict::Erratum);
    assert_eq!(judged(erratum, &[("a.tours", &[4.0])]).0, CellVerdict::Differs);
    let claim = "ours='most a.tours'\nover='b.tours'\nrule='claim'\nat_least=2.0";
    let sides: &[(&str, &[f64])] = &[("a.tours", &[1.0, 6.0]), ("b.tours", &[3.0])];
    assert_eq!(judged(claim, sides), (CellVerdict::Holds, Some(2.0)));
    let share = "ours='failed a.tours'\nper=0.01\nrule='reported'";
    assert_eq!(
        judged(share, &[("a.tours", &[0.0, 1.0, 2.0, 0.0])]),
        (CellVerdict::Reported, Some(50.0))
    );
}

#[test]
fn the_former_name_of_a_rule_without_a_verdict_is_still_read() {
    let former = "told";
    let share = format!("ours='failed a.tours'\nrule='{former}'");
    assert_eq!(judged(&share, &[("a.tours", &[0.0, 1.0])]), (CellVerdict::Reported, Some(0.5)));
}

#[test]
fn an_interval_takes_the_runs_of_both_sides_into_account() {
    // Our five runs have mean 3 and deviation 1.5811; t at 99% with 4 degrees of freedom is 4.604.
    let runs: &[(&str, &[f64])] = &[("a.tours", &[1.0, 2.0, 3.0, 4.0, 5.0])];
    let rule = |value: f64, runs: u64| {
        format!("ours='a.tours'\nrule='interval'\nvalue={value:?}\npaper_runs={runs}")
    };
    // For one run of the paper, half the interval is 4.604 x 1.5811 x sqrt(1/5 + 1) = 7.974; for
    // many, 3.256.
    assert_eq!(judged(&rule(10.9, 1), runs).0, CellVerdict::Within);
    assert_eq!(judged(&rule(11.0, 1), runs).0, CellVerdict::Differs);
    assert_eq!(judged(&rule(6.2, 1_000_000), runs).0, CellVerdict::Within);
    assert_eq!(judged(&rule(6.3, 1_000_000), runs).0, CellVerdict::Differs);
    assert_eq!(
        judged(&rule(3.0, 1), &[("a.tours", &[3.0])]).0,
        CellVerdict::Reported,
        "one run of ours"
    );
}

#[test]
fn a_definition_with_unknown_names_is_rejected() {
    let start = "paper='p'\nquestion='q'\nanswer='a'\n";
    let cell = "[[cell]]\nname='n'\nours='a.tours'\nrule='reported'\n";
    let refused = |probe: &str, cell: &str| {
        Definition::parse("x", &format!("{start}{probe}{cell}")).unwrap_err().to_string()
    };
    let good = "[probe.a]\nboards=['5x5']\nsolver='mace'\n";
    assert!(Definition::parse("x", &format!("{start}{good}{cell}")).is_ok());
    assert!(refused("[probe.a]\nboards=['5y5']\nsolver='mace'\n", cell).contains("5y5"));
    assert!(
        refused("[probe.a]\nboards=['5x5']\nsolver='unheard-of'\n", cell).contains("unheard-of")
    );
    assert!(refused("[probe.b]\nboards=['5x5']\nsolver='mace'\n", cell).contains("no probe"));
    assert!(refused(&format!("{good}tries=5\n"), cell).contains("tries"));
    let without = "[[cell]]\nname='n'\nours='a.tours'\nrule='exact'\n";
    assert!(refused(good, without).contains("do not fit"));
}

fn planned<'a>(
    definition: &'a Definition,
    threads: usize,
    control: &'a Control,
) -> ExperimentRun<'a> {
    ExperimentRun {
        definition,
        scale: ExperimentScale::Quick,
        seed: 1,
        threads,
        control,
        known: Vec::new(),
    }
}

#[test]
fn small_tables_match_cell_by_cell() {
    let definitions = experiments().unwrap();
    let mut archive = Archive::new();
    for id in ["hk2005.table1", "hk2005.table2", "hk2005.warnsdorff6", "gs2004.fig2-3"] {
        let definition = definitions.iter().find(|d| d.id == id).unwrap();
        let record = planned(definition, 2, &Control::default()).run(&mut |_| ()).unwrap();
        assert!(record.is_whole(definition, ExperimentScale::Quick));
        for cell in &definition.cell {
            let expected = match cell.rule {
                CellRule::Exact if cell.because.is_some() && cell.square.is_none() => {
                    CellVerdict::Differs
                }
                CellRule::Exact => CellVerdict::Exact,
                CellRule::Erratum => CellVerdict::Erratum,
                _ => continue,
            };
            let judged = judge(cell, &record, ExperimentScale::Quick);
            assert_eq!(judged.verdict, expected, "{id}: {}", cell.name);
        }
        archive.entry(id.into()).or_default().insert(ExperimentScale::Quick, record);
    }
    let text = page(&definitions, &errata().unwrap(), &archive);
    assert!(text.contains("## hk2005.table2\n") && text.contains("| exact |"));
    assert!(text.contains("252,400<br>254,400 !") && text.contains("Not run."));
}

#[test]
fn runs_do_not_depend_on_threads_and_can_be_resumed() {
    let text = "paper='p'\nquestion='q'\nanswer='a'\n[probe.m]\nboards=['5x5']\nsolver='mace'\n\
                attempts=2000\nruns=3\ncurve=true\npheromone=true\n\
                [[cell]]\nname='n'\nours='m.distinct'\nrule='reported'\n";
    let definition = Definition::parse("x", text).unwrap();
    let control = Control::default();
    let plain = |mut record: ExperimentRecord| {
        let runs = record.probes.values_mut().flat_map(|runs| &mut runs.runs);
        runs.for_each(|run| assert!(run.values.remove("core_seconds").is_some()));
        record
    };
    let whole = planned(&definition, 1, &control).run(&mut |_| ()).unwrap();
    let mut kept = Vec::new();
    let same = planned(&definition, 3, &control).run(&mut |record| kept.push(record.clone()));
    assert_eq!(plain(whole.clone()), plain(same.unwrap()));
    assert_eq!(kept.len(), 3);
    assert!(!kept[0].is_whole(&definition, ExperimentScale::Quick));
    assert!(whole.is_whole(&definition, ExperimentScale::Quick));
    assert!(whole.probes["m"].runs.iter().all(|r| !r.curve.is_empty() && r.pheromone.len() == 96));
    let read: ExperimentRecord = serde_json::from_str(&kept[1].text()).unwrap();
    assert_eq!(read, kept[1], "a written record reads back");
    let mut made = 0;
    let rest = ExperimentRun { known: vec![&read], ..planned(&definition, 2, &control) };
    let rest = rest.run(&mut |_| made += 1).unwrap();
    assert_eq!((made, plain(rest)), (1, plain(whole)));
}

#[test]
fn curves_pheromone_and_arithmetic_can_be_asked_for() {
    let run = |step: u64| Measured {
        curve: vec![(100, step, 0), (200, 5 * step, 10), (300, 6 * step, 90)],
        pheromone: vec![("a1".into(), "b3".into(), 1.0), ("a1".into(), "c2".into(), step as f64)],
        ..Measured::default()
    };
    let mut record = record(&[]);
    let runs = ProbeRuns { checksum: String::new(), runs: vec![run(1), run(3)] };
    record.probes.insert("a".into(), runs);
    assert_eq!(record.ask("peak a.curve").unwrap().0, 150.0);
    // Shares 1/2, 1/2 and 1/4, 3/4 have 1/4 + 1/2 in common.
    assert_eq!(record.ask("overlap a.pheromone").unwrap().0, 0.75);
    assert_eq!(record.ask("3 * 4 / 6").unwrap().0, 2.0);
    assert!(record.ask("b.tours").is_none() && record.ask("a@a1.tours").is_none());
}

#[test]
fn grids_are_read_from_the_top_and_their_errata_become_cells() {
    let text = "paper='p'\nquestion='q'\nanswer='a'\n[probe.m]\nboards=['2x3']\nsolver='mace'\n\
                [[grid]]\nname='g'\nboard='2x3'\nours='m.*.tours'\nrule='exact'\n\
                paper='''\n1 2 3\n4 - 6!7\n'''\n";
    let definition = Definition::parse("x", text).unwrap();
    let names: Vec<&str> = definition.cell.iter().map(|c| c.ours.as_str()).collect();
    assert_eq!(names, ["m.a2.tours", "m.b2.tours", "m.c2.tours", "m.a1.tours", "m.c1.tours"]);
    let last = definition.cell.last().unwrap();
    assert_eq!(
        (last.rule, last.value(), last.paper.as_deref()),
        (CellRule::Erratum, 7.0, Some("6"))
    );
    let flipped = Definition::parse("x", &text.replace("[[grid]]", "[[grid]]\nflip=true")).unwrap();
    assert_eq!((flipped.cell[0].ours.as_str(), flipped.cell[0].value()), ("m.a2.tours", 4.0));
    assert!(Definition::parse("x", &text.replace("1 2 3", "1 2")).is_err());
}

#[test]
fn errata_name_existing_experiments() {
    let ids: Vec<String> = experiments().unwrap().into_iter().map(|d| d.id).collect();
    for erratum in errata().unwrap() {
        assert!(erratum.shown_by.iter().all(|id| ids.contains(id)), "{erratum:?}");
    }
}

/// The committed records, by experiment.
fn committed() -> Archive {
    let records = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/records");
    let mut archive = Archive::new();
    for definition in experiments().unwrap() {
        let kept = archive.entry(definition.id.clone()).or_default();
        for scale in [ExperimentScale::Quick, ExperimentScale::Full] {
            let path = format!("{records}/{}/{}.json", scale.name(), definition.id);
            let Ok(text) = std::fs::read_to_string(path) else { continue };
            kept.insert(scale, serde_json::from_str(&text).unwrap());
        }
    }
    archive
}

#[test]
fn every_committed_record_is_accepted() {
    let archive = committed();
    let mut accepted = 0;
    for definition in experiments().unwrap() {
        for (&scale, record) in &archive[&definition.id] {
            for (name, runs) in &record.probes {
                let asked = definition.probe[name].checksum(scale);
                assert_eq!(runs.checksum, asked, "{} {name} {}", definition.id, scale.name());
                accepted += 1;
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
}

/// Renaming a field must not invalidate the records of users.
#[test]
fn the_identity_of_runs_does_not_change() {
    let text = "paper='p'\nquestion='q'\nanswer='a'\n[probe.a]\nboards=['5x5', '6x6']\nsolver='mace:alpha=2'\n\
                starts=['a1']\nby_start=true\nbitmaps=4\nattempts_per_start=7\nruns=3\nquick={moves=9}\n";
    let probe = &Definition::parse("x", text).unwrap().probe["a"];
    assert_eq!(probe.checksum(ExperimentScale::Full), "a9539235ce939a11");
    assert_eq!(probe.checksum(ExperimentScale::Quick), "a85bb3af9f315514");
    let text = "paper='p'\nquestion='q'\nanswer='a'\n[probe.a]\ncheck=[\"e4 \\\"4\\\"\\n\"]\n";
    let probe = &Definition::parse("x", text).unwrap().probe["a"];
    assert_eq!(probe.checksum(ExperimentScale::Full), "fcbacee6232713c6");
}

#[test]
fn the_committed_page_and_figures_match_the_committed_records() {
    let docs = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"));
    let definitions = experiments().unwrap();
    let archive = committed();
    for definition in &definitions {
        for (name, svg) in pictures(definition, &archive[&definition.id]) {
            let committed = std::fs::read_to_string(docs.join("figures").join(&name));
            let same = committed.is_ok_and(|text| text == svg);
            assert!(same, "{name}: hippo reproduce --page --out docs");
        }
    }
    let committed = std::fs::read_to_string(docs.join("REPRODUCTION.md")).unwrap();
    let made = page(&definitions, &errata().unwrap(), &archive);
    assert!(committed == made, "docs/REPRODUCTION.md: hippo reproduce --page --out docs");
}

#[test]
fn numbers_show_their_significant_digits() {
    for (value, words) in [
        (6637920.0, "6,637,920"),
        (-12.0, "-12"),
        (0.0763, "0.0763"),
        (488245.4, "488,245"),
        (f64::INFINITY, "∞"),
        (f64::NAN, "–"),
    ] {
        assert_eq!(super::page::number(value), words);
    }
}
