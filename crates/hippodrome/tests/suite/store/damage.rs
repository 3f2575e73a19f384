//! Tests that truncated or altered files are detected, named and repaired.

use super::*;

#[test]
fn damage_is_named_and_repaired() {
    let place = Place::new("damage");
    let run = enumeration(Problem::open(knight("5x5")), "exact", &[]);
    let path = place.at("job");
    in_folder(&run, &path);
    let whole = bytes(&path);
    let control = Arc::<Control>::default();
    let mut folder = JobFolder::open(&path).unwrap();
    let job = EnumerationJob::resume(&mut folder, JobChange::default(), &control).unwrap();
    let unit = folder.unit_path(1);
    let good = fs::read(&unit).unwrap();
    let damaged = |bytes: &[u8]| {
        fs::write(&unit, bytes).unwrap();
        matches!(folder.state(&job, 1).unwrap(), UnitState::Damaged(error)
            if error.to_string().contains("00000001.unit is damaged"))
    };
    assert!((0..good.len()).all(|length| damaged(&good[..length])));
    let mut state = 88172645463325252u64;
    let flips = 10_000;
    for _ in 0..flips {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let mut flipped = good.clone();
        flipped[(state >> 8) as usize % good.len()] ^= 1 << (state & 7);
        assert!(damaged(&flipped));
    }
    let named = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let tell = |event: JobEvent<'_>| {
        named.fetch_add(u64::from(matches!(event, JobEvent::Damaged(_))), Relaxed);
    };
    complete(&job, &folder, 2, JobMonitor::new(&stop, &tell)).unwrap();
    assert_eq!((named.into_inner(), bytes(&path) == whole), (1, true));
    // The merged table is compared with its record.
    check_record(&path).unwrap();
    let table = path.join("tours.parquet");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    fs::write(&table, flipped).unwrap();
    assert!(check_record(&path).unwrap_err().to_string().contains("tours.parquet is damaged"));
    // A merge that is killed before it writes its record leaves no stale record.
    let (record, recorded) = (path.join("record.json"), AtomicU64::new(0));
    let tell = |event: JobEvent<'_>| {
        if matches!(event, JobEvent::Phase(JobPhase::Rename, _)) {
            recorded.fetch_add(u64::from(record.exists()), Relaxed);
        }
    };
    job.merge(&folder, JobMonitor::new(&stop, &tell)).unwrap();
    assert!(recorded.into_inner() == 0 && record.exists());
    check_record(&path).unwrap();
}

#[test]
fn every_reader_detects_a_truncated_or_altered_table() {
    let place = Place::new("altered");
    let path = place.at("job");
    in_folder(&enumeration(Problem::open(knight("5x5")), "exact", &[]), &path);
    let whole = bytes(&path);
    let (inside, bare) = (path.join("tours.parquet"), place.at("bare.parquet"));
    let graph = knight("5x5");
    let packer = Packer::new(&graph);
    let tours: Vec<_> = keys(&path)
        .iter()
        .map(|key| verify(&graph, packer.unpack(key).unwrap()).unwrap())
        .collect();
    let views: Vec<_> = tours.iter().map(|tour| tour.view()).collect();
    // Every way of reading must fail if any part is wrong.
    type Way<'w> = &'w dyn Fn(&TourSet) -> Result<(), StoreError>;
    let ways: [Way<'_>; 5] = [
        &|set| set.verify(),
        &|set| set.visit(1..=set.len(), |_, _| ControlFlow::Continue(())),
        &|set| set.contains(&views).map(drop),
        &|set| set.check(1, JobMonitor::silent()).map(drop),
        &|set| {
            set.join(set, SetOperation::Union, &place.at("joined.parquet"), JobMonitor::silent())
                .map(drop)
        },
    ];
    let noticed = |bytes: &[u8], number: usize| {
        let (file, given) =
            if number.is_multiple_of(2) { (&inside, &path) } else { (&bare, &bare) };
        fs::write(file, bytes).unwrap();
        let way = ways[number / 2 % ways.len()];
        let said = TourSet::open(given).and_then(|set| way(&set)).unwrap_err();
        assert!(said.to_string().contains(&file.display().to_string()), "{said}");
        said.is_damage()
    };
    for length in 0..whole.len() {
        assert!(noticed(&whole[..length], length) || length == 0);
    }
    assert!(noticed(&[&whole[..], b"more"].concat(), 0));
    let mut state = 88172645463325252u64;
    for number in 0..10_000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let mut flipped = whole.clone();
        flipped[(state >> 8) as usize % whole.len()] ^= 1 << (state & 7);
        assert!(noticed(&flipped, number));
    }
    fs::write(&bare, &whole).unwrap();
    assert!(ways.iter().all(|way| way(&TourSet::open(&bare).unwrap()).is_ok()));
    fs::write(&bare, "no table").unwrap();
    assert!(matches!(TourSet::open(&bare).map(drop), Err(StoreError::NotTours(_))));
}

#[test]
fn damage_found_while_merging_is_repaired() {
    let place = Place::new("late");
    let run = enumeration(Problem::open(knight("5x5")), "exact", &[]);
    let path = place.at("job");
    let control = Arc::<Control>::default();
    let (folder, job) = EnumerationJob::create(&path, run, &control).unwrap();
    run_missing(&job, &folder, 2, JobMonitor::silent()).unwrap();
    let unit = folder.unit_path(0);
    let hit = AtomicBool::new(false);
    let stop = AtomicBool::new(false);
    // Damage the unit between its last check and its merge.
    let tell = |event: JobEvent<'_>| {
        if matches!(event, JobEvent::Phase(JobPhase::Merge, _)) && !hit.swap(true, Relaxed) {
            let mut bytes = fs::read(&unit).unwrap();
            bytes[20] ^= 4;
            fs::write(&unit, bytes).unwrap();
        }
    };
    let merged = complete(&job, &folder, 2, JobMonitor::new(&stop, &tell)).unwrap().1.unwrap();
    assert_eq!(merged.summary.total.distinct, 1728);
    assert!(hit.into_inner());
}

#[test]
fn a_table_with_a_wrong_row_is_detected() {
    // The table of all tours passes the check, and the table of undirected tours contains reversed
    // tours.
    let place = Place::new("wrong");
    let run = enumeration(Problem::open(knight("5x5")), "exact", &[]);
    in_folder(&run, &place.at("job"));
    let set = TourSet::open(&place.at("job")).unwrap();
    let checked = set.check(1, JobMonitor::silent()).unwrap();
    assert_eq!((checked.valid, checked.first), (1728, None));
    let undirected = Enumeration { distinct: Distinct::Undirected, ..run };
    let merged = in_folder(&undirected, &place.at("undirected"));
    assert_eq!(merged.summary.total.distinct, 864);
    let reversed: Vec<_> = keys(&place.at("job"))
        .into_iter()
        .filter(|key| !keys(&place.at("undirected")).contains(key))
        .take(3)
        .collect();
    let graph = set.graph().clone();
    let packer = Packer::new(&graph);
    for key in reversed {
        let tour = verify(&graph, packer.unpack(&key).unwrap()).unwrap();
        let undirected = TourSet::open(&place.at("undirected")).unwrap();
        assert_eq!(undirected.contains(&[tour.view()]).unwrap(), [true]);
    }
}
