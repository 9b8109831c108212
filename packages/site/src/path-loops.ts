/** Whether a path goes in circles: `/a/a/a`, `/a/b/a/b/a/b`, or is longer than any site needs. */
export type FindsLoops = (path: string) => boolean

const mostSegments = 40
/** Links that lead deeper into themselves in several ways never repeat a row of segments, but their names. */
const mostSameNames = 4
const longestPeriod = 4
const slash = 47

/** Numbers repeat in honest paths: dates, versions. They equal nothing. */
const numberName = 0

/** Every address that is found is looked at, so segments are compared as numbers and nothing is made. */
export function loopFinder(): FindsLoops {
  const names = new Int32Array(mostSegments)
  return (path) => {
    const count = readNames(path, names)
    if (count < 3) return false
    if (count > mostSegments || commonest(names, count) > mostSameNames) return true
    for (let period = 1; period <= longestPeriod; period += 1)
      if (longestCycle(names, count, period) >= period * 2) return true
    return false
  }
}

/** Turns segments into hashes, and counts them; of too many one is counted beyond the limit. */
function readNames(path: string, names: Int32Array): number {
  let count = 0
  for (let at = 0; at < path.length && count <= mostSegments; at += 1) {
    if (path.charCodeAt(at) === slash) continue
    let name = 7
    let isNumber = true
    for (; at < path.length; at += 1) {
      const code = path.charCodeAt(at)
      if (code === slash) break
      if (code < 48 || code > 57) isNumber = false
      name = Math.imul(name ^ code, 0x01000193)
    }
    // Beyond the end of the list nothing is kept.
    names[count] = isNumber ? numberName : name || 1
    count += 1
  }
  return count
}

/** How often the commonest name of a path stands in it. */
function commonest(names: Int32Array, count: number): number {
  if (count <= mostSameNames) return 0
  let most = 0
  for (let one = 0; one < count; one += 1) {
    if (names[one] === numberName) continue
    let same = 1
    for (let other = one + 1; other < count; other += 1) if (names[other] === names[one]) same += 1
    most = Math.max(most, same)
  }
  return most
}

/** How many segments in a row equal the one `period` places before. */
function longestCycle(names: Int32Array, count: number, period: number): number {
  let longest = 0
  let length = 0
  for (let at = period; at < count; at += 1) {
    const isSame = names[at] !== numberName && names[at] === names[at - period]
    length = isSame ? length + 1 : 0
    longest = Math.max(longest, length)
  }
  return longest
}
