use hippodrome::{board::Board, graph::Graph};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let g = Graph::knight(Board::parse(&a[1]).unwrap());
    let n = hippodrome::count::trial(&g, a[2].contains("open"), a[2].contains("deg"), &a[3], a[4].parse().unwrap());
    eprintln!("{} {} {} = {}", a[1], a[2], a[3], n);
}
