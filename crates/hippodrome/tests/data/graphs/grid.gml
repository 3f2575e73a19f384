graph [
  name ""
  node [
    id 0
    label "(0,0)"
  ]
  node [
    id 1
    label "(0,1)"
  ]
  node [
    id 2
    label "(0,2)"
  ]
  node [
    id 3
    label "(0,3)"
  ]
  node [
    id 4
    label "(1,0)"
  ]
  node [
    id 5
    label "(1,1)"
  ]
  node [
    id 6
    label "(1,2)"
  ]
  node [
    id 7
    label "(1,3)"
  ]
  node [
    id 8
    label "(2,0)"
  ]
  node [
    id 9
    label "(2,1)"
  ]
  node [
    id 10
    label "(2,2)"
  ]
  node [
    id 11
    label "(2,3)"
  ]
  edge [
    source 0
    target 4
  ]
  edge [
    source 0
    target 1
  ]
  edge [
    source 1
    target 5
  ]
  edge [
    source 1
    target 2
  ]
  edge [
    source 2
    target 6
  ]
  edge [
    source 2
    target 3
  ]
  edge [
    source 3
    target 7
  ]
  edge [
    source 4
    target 8
  ]
  edge [
    source 4
    target 5
  ]
  edge [
    source 5
    target 9
  ]
  edge [
    source 5
    target 6
  ]
  edge [
    source 6
    target 10
  ]
  edge [
    source 6
    target 7
  ]
  edge [
    source 7
    target 11
  ]
  edge [
    source 8
    target 9
  ]
  edge [
    source 9
    target 10
  ]
  edge [
    source 10
    target 11
  ]
]
