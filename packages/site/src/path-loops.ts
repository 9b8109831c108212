/** Returns whether a path loops, such as `/a/a/a` or `/a/b/a/b/a/b`, or has more segments than any real site. */
export type FindsLoops = (path: string) => boolean

const maxSegments = 40
/** Maximum number of equal segments. Links that append to their own URL in several ways repeat names, but no sequence. */
const maxSameNames = 4
const maxPeriod = 4
const slash = 47

/** Numbers repeat in regular paths such as dates and versions, so they equal nothing. */
const numberName = 0

/**
 * Creates a function that returns whether a path has up to 4 segments three times in a row, one segment more than 4 times, or
 * more than 40 segments, as in endless relative links. Numbers equal nothing. It checks every discovered URL, so segments are
 * compared as hashes, without allocation.
 */
export function loopFinder(): FindsLoops {
  const names = new Int32Array(maxSegments)
  return (path) => {
    const count = readNames(path, names)
    if (count < 3) return false
    if (count > maxSegments || commonest(names, count) > maxSameNames) return true
    for (let period = 1; period <= maxPeriod; period += 1)
      if (cycleLength(names, count, period) >= period * 2) return true
    return false
  }
}

/** Hashes the segments and returns their number; stops one above the limit. */
function readNames(path: string, names: Int32Array): number {
  let count = 0
  for (let at = 0; at < path.length && count <= maxSegments; at += 1) {
    if (path.charCodeAt(at) === slash) continue
    let name = 7
    let isNumber = true
    for (; at < path.length; at += 1) {
      const code = path.charCodeAt(at)
      if (code === slash) break
      if (code < 48 || code > 57) isNumber = false
      name = Math.imul(name ^ code, 0x01000193)
    }
    // Writes beyond the end of a typed array are ignored.
    names[count] = isNumber ? numberName : name || 1
    count += 1
  }
  return count
}

/** Returns how often the most common segment occurs in a path. */
function commonest(names: Int32Array, count: number): number {
  if (count <= maxSameNames) return 0
  let most = 0
  for (let one = 0; one < count; one += 1) {
    if (names[one] === numberName) continue
    let same = 1
    for (let other = one + 1; other < count; other += 1) if (names[other] === names[one]) same += 1
    most = Math.max(most, same)
  }
  return most
}

/** Returns the largest number of consecutive segments that equal the segment `period` positions before. */
function cycleLength(names: Int32Array, count: number, period: number): number {
  let longest = 0
  let length = 0
  for (let at = period; at < count; at += 1) {
    const isSame = names[at] !== numberName && names[at] === names[at - period]
    length = isSame ? length + 1 : 0
    longest = Math.max(longest, length)
  }
  return longest
}
