//! The sentences of events.

use super::*;

#[test]
fn sentences_name_squares_and_values() {
    let graph = Graph::knight(Board::parse("5x5").unwrap());
    let at = |name: &str| graph.vertex(name).unwrap();
    let option = |name: &str, onward, second| MoveOption { square: at(name), onward, second };
    let told = |event: SearchEvent<'_>| {
        let so_far = Stats { attempts: 4, moves: 1200, ..Stats::default() };
        sentence(&graph, &event, &so_far).unwrap_or_else(|| "nothing".into())
    };
    let few = [option("d2", 3, None), option("b4", 2, None)];
    let tied = [option("d2", 2, Some(9)), option("b4", 2, Some(7)), option("e3", 4, Some(1))];
    let choice = |options, chosen: &str, ties| {
        told(SearchEvent::Choice { step: 7, from: at("c2"), options, chosen: at(chosen), ties })
    };
    let path = [at("a1"), at("c2")];
    insta::assert_snapshot!(
        [
            told(SearchEvent::Start { square: at("a1") }),
            choice(&few, "b4", TieBreaker::Random),
            choice(&few[..1], "d2", TieBreaker::Random),
            choice(&tied, "d2", TieBreaker::Random),
            choice(&tied, "b4", TieBreaker::Pohl),
            told(SearchEvent::DeadEnd { square: at("e5"), visited: 21 }),
            told(SearchEvent::Back { moves: 3, to: at("c4") }),
            told(SearchEvent::Retry { step: 18, from: at("c4"), chosen: at("d2"), left: 0 }),
            told(SearchEvent::Stack { path: &path, untried: &path, marks: &[0, 1] }),
            told(SearchEvent::Reversal {
                end: at("c3"),
                added: (at("c3"), at("d5")),
                cut: (at("d5"), at("e3")),
                reversed: &path,
            }),
            told(SearchEvent::Joined { cycles: 1, pairs: 0, longer: 0, left: 1 }),
            told(SearchEvent::Joined { cycles: 7, pairs: 4, longer: 1, left: 1 }),
            told(SearchEvent::Path(&path)),
            told(SearchEvent::Queue(&[0, 3])),
            told(SearchEvent::Tour { squares: &path, closed: false }),
        ]
        .join("\n"),
        @r"
    attempt 5 starts on a1
    move 7: from c2, b4 has 2 onward moves, d2 3; go to b4
    move 7: from c2 the only free square is d2
    move 7: from c2, d2 and b4 have 2 onward moves each, e3 4; a random choice takes d2
    move 7: from c2, d2 and b4 have 2 onward moves each, e3 4; the sum of onward moves one level down (d2 9, b4 7) takes b4
    dead end on e5: 21 of 25 squares visited
    go back 3 moves, to c4
    move 18: from c4 now to d2, the last option
    move 1: a1 to c2, with 1 option from there
    from the end c3 add c3-d5, cut d5-e3, reverse 2 squares
    it is one cycle already: a tour
    4 exchanges and 1 longer one join 7 cycles: one is left, a tour
    nothing
    nothing
    found: a tour from a1 to c2, open (4 attempts, 1,200 moves)
    "
    );
}

#[test]
fn the_events_of_a_fixed_end_name_it() {
    let ground = graph("5x5");
    let end = ground.vertex("e5").ok();
    let problem = Problem::new(ground, Goal::Open, None, end).unwrap();
    let mut texts = Vec::new();
    let mut tell = |sentence: Sentence| {
        texts.push(sentence.text);
        ControlFlow::Continue(())
    };
    let mut narrator = Narrator::new(problem.graph(), 5, &mut tell);
    search(problem.clone(), Some("exact")).watch(&Control::default(), &mut narrator).unwrap();
    assert!(texts[0].contains("e5 as an end"), "{texts:?}");
}
