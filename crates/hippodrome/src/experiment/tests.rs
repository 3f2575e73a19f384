use super::*;
use crate::run::Control;
use std::collections::BTreeMap;

#[test]
fn every_definition_is_read_and_every_file_is_one() {
    let definitions = experiments().unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| name.strip_suffix(".toml").unwrap().to_string())
        .collect();
    let mut ids: Vec<String> = definitions.iter().map(|d| d.id.clone()).collect();
    files.sort();
    ids.sort();
    assert_eq!(files, ids);
}

fn record(values: &[(&str, &[f64])]) -> Record {
    let measured = |v: &f64, name: &str| Measured {
        values: BTreeMap::from([(name.to_string(), *v)]),
        ..Measured::default()
    };
    let probe = |&(path, values): &(&str, &[f64])| {
        let (probe, name) = path.split_once('.').unwrap();
        (probe.to_string(), values.iter().map(|v| measured(v, name)).collect())
    };
    Record {
        id: "x".into(),
        scale: "quick".into(),
        version: "0".into(),
        seed: 1,
        definition: String::new(),
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
fn judged(text: &str, values: &[(&str, &[f64])]) -> (Verdict, Option<f64>) {
    let definition = cell(text);
    let judged = judge(&definition.cell[0], &record(values));
    (judged.verdict, judged.ours)
}

#[test]
fn verdicts_follow_the_rules() {
    let exact = "ours='a.tours'\nrule='exact'\nvalue=5.0";
    assert_eq!(judged(exact, &[("a.tours", &[5.0])]), (Verdict::Exact, Some(5.0)));
    assert_eq!(judged(exact, &[("a.tours", &[6.0])]).0, Verdict::Differs);
    assert_eq!(judged(exact, &[]).0, Verdict::NotRun);
    let erratum = "ours='a.tours'\nrule='erratum'\nvalue=5.0";
    assert_eq!(judged(erratum, &[("a.tours", &[5.0])]).0, Verdict::Erratum);
    assert_eq!(judged(erratum, &[("a.tours", &[4.0])]).0, Verdict::Differs);
    let claim = "ours='most a.tours'\nover='b.tours'\nrule='claim'\nat_least=2.0";
    let sides: &[(&str, &[f64])] = &[("a.tours", &[1.0, 6.0]), ("b.tours", &[3.0])];
    assert_eq!(judged(claim, sides), (Verdict::Holds, Some(2.0)));
    let share = "ours='failed a.tours'\nper=0.01\nrule='told'";
    assert_eq!(judged(share, &[("a.tours", &[0.0, 1.0, 2.0, 0.0])]), (Verdict::Told, Some(50.0)));
}

#[test]
fn an_interval_takes_the_runs_of_both_sides_into_account() {
    // Ours: mean 3, deviation 1.5811 of five runs; t at 99% with 4 degrees of freedom is 4.604.
    let runs: &[(&str, &[f64])] = &[("a.tours", &[1.0, 2.0, 3.0, 4.0, 5.0])];
    let rule = |value: f64, runs: u64| {
        format!("ours='a.tours'\nrule='interval'\nvalue={value:?}\npaper_runs={runs}")
    };
    // One run of the paper: 4.604 x 1.5811 x sqrt(1/5 + 1) = 7.974; many: 3.256.
    assert_eq!(judged(&rule(10.9, 1), runs).0, Verdict::Within);
    assert_eq!(judged(&rule(11.0, 1), runs).0, Verdict::Differs);
    assert_eq!(judged(&rule(6.2, 1_000_000), runs).0, Verdict::Within);
    assert_eq!(judged(&rule(6.3, 1_000_000), runs).0, Verdict::Differs);
    assert_eq!(judged(&rule(3.0, 1), &[("a.tours", &[3.0])]).0, Verdict::Told, "one run of ours");
}

#[test]
fn a_definition_that_names_what_is_not_there_is_refused() {
    let start = "paper='p'\nquestion='q'\nanswer='a'\n";
    let cell = "[[cell]]\nname='n'\nours='a.tours'\nrule='told'\n";
    let refused = |probe: &str, cell: &str| {
        Definition::parse("x", &format!("{start}{probe}{cell}")).unwrap_err().to_string()
    };
    let good = "[probe.a]\nboards=['5x5']\nsolver='mace'\n";
    assert!(Definition::parse("x", &format!("{start}{good}{cell}")).is_ok());
    assert!(refused("[probe.a]\nboards=['5y5']\nsolver='mace'\n", cell).contains("5y5"));
    assert!(refused("[probe.a]\nboards=['5x5']\nsolver='nobody'\n", cell).contains("nobody"));
    assert!(refused("[probe.b]\nboards=['5x5']\nsolver='mace'\n", cell).contains("no probe"));
    assert!(refused(&format!("{good}tries=5\n"), cell).contains("tries"));
    let without = "[[cell]]\nname='n'\nours='a.tours'\nrule='exact'\n";
    assert!(refused(good, without).contains("do not fit"));
}

#[test]
fn small_tables_come_out_cell_by_cell() {
    for id in ["hk2005.table2", "hk2005.warnsdorff6", "gs2004.fig2-3"] {
        let definitions = experiments().unwrap();
        let definition = definitions.iter().find(|d| d.id == id).unwrap();
        let record = run(definition, Scale::Quick, 1, 2, &Control::default()).unwrap().unwrap();
        let judged: Vec<_> = definition.cell.iter().map(|cell| judge(cell, &record)).collect();
        for cell in &judged {
            let expected = match cell.cell.rule {
                Rule::Exact if cell.cell.because.is_some() => Verdict::Differs,
                Rule::Exact => Verdict::Exact,
                Rule::Erratum => Verdict::Erratum,
                _ => continue,
            };
            assert_eq!(cell.verdict, expected, "{id}: {}", cell.cell.name);
        }
        let text = page(&definitions, &BTreeMap::from([(id.to_string(), record)]));
        assert!(text.contains(&format!("## {id}\n")) && text.contains("| exact |"));
    }
}
