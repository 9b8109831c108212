// Finds removed and added lines. Lines that occur exactly once on both sides are matched first, as anchors. Between them, the
// shortest edit is searched, with a limit on the work.

/** A step from the old lines to the new ones: `old` and `new` are line indexes. */
export type Edit =
  | { readonly kind: 'normal'; readonly old: number; readonly new: number }
  | { readonly kind: 'del'; readonly old: number }
  | { readonly kind: 'add'; readonly new: number }

interface Range {
  readonly oldFrom: number
  readonly oldTo: number
  readonly newFrom: number
  readonly newTo: number
}

// Time grows with the lines times the steps, memory with the square of the steps.
const maxSteps = 800

/**
 * Returns the steps from one list of keys to the other, in order, including the unchanged lines. A part that needs more than
 * 800 steps is removed and added as a whole.
 */
export function diffLines(old: readonly string[], next: readonly string[]): Edit[] {
  const steps: Edit[] = []
  diffRange(old, next, { oldFrom: 0, oldTo: old.length, newFrom: 0, newTo: next.length }, steps)
  return steps
}

function diffRange(old: readonly string[], next: readonly string[], range: Range, steps: Edit[]): void {
  let { oldFrom, oldTo, newFrom, newTo } = range
  while (oldFrom < oldTo && newFrom < newTo && old[oldFrom] === next[newFrom]) {
    steps.push({ kind: 'normal', old: oldFrom, new: newFrom })
    oldFrom += 1
    newFrom += 1
  }
  const tail: Edit[] = []
  while (oldFrom < oldTo && newFrom < newTo && old[oldTo - 1] === next[newTo - 1]) {
    oldTo -= 1
    newTo -= 1
    tail.push({ kind: 'normal', old: oldTo, new: newTo })
  }
  diffMiddle(old, next, { oldFrom, oldTo, newFrom, newTo }, steps)
  for (const step of tail.reverse()) steps.push(step)
}

function diffMiddle(old: readonly string[], next: readonly string[], range: Range, steps: Edit[]): void {
  const { oldFrom, oldTo, newFrom, newTo } = range
  if (oldFrom === oldTo || newFrom === newTo) return replace(range, steps)
  const anchors = findAnchors(old, next, range)
  if (anchors.length === 0) return shortest(old, next, range, steps)
  let from = { old: oldFrom, new: newFrom }
  for (const anchor of anchors) {
    diffRange(old, next, { oldFrom: from.old, oldTo: anchor.old, newFrom: from.new, newTo: anchor.new }, steps)
    steps.push({ kind: 'normal', ...anchor })
    from = { old: anchor.old + 1, new: anchor.new + 1 }
  }
  diffRange(old, next, { oldFrom: from.old, oldTo, newFrom: from.new, newTo }, steps)
}

function replace({ oldFrom, oldTo, newFrom, newTo }: Range, steps: Edit[]): void {
  for (let at = oldFrom; at < oldTo; at += 1) steps.push({ kind: 'del', old: at })
  for (let at = newFrom; at < newTo; at += 1) steps.push({ kind: 'add', new: at })
}

interface Anchor {
  readonly old: number
  readonly new: number
}

/** Returns lines that occur once in both ranges, as many as are in the same order. */
function findAnchors(old: readonly string[], next: readonly string[], range: Range): readonly Anchor[] {
  const places = new Map<string, { old: number; new: number; isOnce: boolean }>()
  for (let at = range.oldFrom; at < range.oldTo; at += 1) {
    const known = places.get(old[at]!)
    if (known) known.isOnce = false
    else places.set(old[at]!, { old: at, new: -1, isOnce: true })
  }
  for (let at = range.newFrom; at < range.newTo; at += 1) {
    const known = places.get(next[at]!)
    if (!known) continue
    if (known.new >= 0) known.isOnce = false
    known.new = at
  }
  const once = [...places.values()].filter((place) => place.isOnce && place.new >= 0)
  return longestRising(once.map(({ old: first, new: second }) => ({ old: first, new: second })))
}

/** Returns the longest subsequence with increasing `new`; the list is already ordered by `old`. */
function longestRising(list: readonly Anchor[]): readonly Anchor[] {
  const ends: number[] = []
  const before: number[] = []
  for (const [index, { new: place }] of list.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (list[ends[middle]!]!.new < place) low = middle + 1
      else high = middle
    }
    before[index] = low > 0 ? ends[low - 1]! : -1
    ends[low] = index
  }
  const rising: Anchor[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) rising.push(list[at]!)
  return rising.reverse()
}

/** Adds the fewest steps (Myers), or removes all old and adds all new lines if that takes too many steps. */
function shortest(old: readonly string[], next: readonly string[], range: Range, steps: Edit[]): void {
  const { oldFrom, newFrom } = range
  const [rows, columns] = [range.oldTo - oldFrom, range.newTo - newFrom]
  const trace: Int32Array[] = []
  const most = Math.min(rows + columns, maxSteps)
  let reach = new Int32Array(2 * most + 3)
  for (let depth = 0; depth <= most; depth += 1) {
    trace.push(reach.slice())
    for (let way = -depth; way <= depth; way += 2) {
      const at = way + most + 1
      const isDown = way === -depth || (way !== depth && reach[at - 1]! < reach[at + 1]!)
      let row = isDown ? reach[at + 1]! : reach[at - 1]! + 1
      while (row < rows && row - way < columns && old[oldFrom + row] === next[newFrom + row - way]) row += 1
      reach[at] = row
      if (row >= rows && row - way >= columns) return walkBack(trace, { rows, columns, most }, range, steps)
    }
    reach = reach.slice()
  }
  replace(range, steps)
}

/** Reconstructs the steps from the positions reached at each depth. If `isDown`, a step adds a line, else it removes one. */
function walkBack(
  trace: readonly Int32Array[],
  { rows, columns, most }: { readonly rows: number; readonly columns: number; readonly most: number },
  { oldFrom, newFrom }: Range,
  steps: Edit[],
): void {
  const back: Edit[] = []
  let [row, column] = [rows, columns]
  for (let depth = trace.length - 1; depth >= 0; depth -= 1) {
    const reach = trace[depth]!
    const way = row - column
    const at = way + most + 1
    const isDown = way === -depth || (way !== depth && reach[at - 1]! < reach[at + 1]!)
    const from = isDown ? reach[at + 1]! : reach[at - 1]!
    const fromColumn = from - (isDown ? way + 1 : way - 1)
    const startRow = depth === 0 ? 0 : isDown ? from : from + 1
    while (row > startRow && column > startRow - way) {
      row -= 1
      column -= 1
      back.push({ kind: 'normal', old: oldFrom + row, new: newFrom + column })
    }
    if (depth === 0) break
    back.push(isDown ? { kind: 'add', new: newFrom + fromColumn } : { kind: 'del', old: oldFrom + from })
    row = from
    column = fromColumn
  }
  for (const step of back.reverse()) steps.push(step)
}
