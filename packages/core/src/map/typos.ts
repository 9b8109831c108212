/**
 * Returns whether two strings differ by at most `most` typos: a character too many, missing, wrong, or two swapped. Compares
 * UTF-16 code units, so case matters.
 */
export function differsByTypos(one: string, other: string, most: number): boolean {
  if (Math.abs(one.length - other.length) > most) return false
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let down = 1; down <= one.length; down++) {
    const next = [down]
    let least = down
    for (let across = 1; across <= other.length; across++) {
      const isSame = one.charCodeAt(down - 1) === other.charCodeAt(across - 1)
      let cost = Math.min(row[across]! + 1, next[across - 1]! + 1, row[across - 1]! + (isSame ? 0 : 1))
      const isSwap =
        down > 1 &&
        across > 1 &&
        one.charCodeAt(down - 1) === other.charCodeAt(across - 2) &&
        one.charCodeAt(down - 2) === other.charCodeAt(across - 1)
      if (isSwap) cost = Math.min(cost, before[across - 2]! + 1)
      next.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return false
    before = row
    row = next
  }
  return row[other.length]! <= most
}
