// Remedies for a name that is not one of the known ones.

/** Maximum length of a name to compare: the time is quadratic in the length. */
const maxCompared = 40
const maxEdits = 3
/** Maximum number of choices to list in a message. */
const maxListed = 40

/**
 * Returns the name that is spelled almost like the given one: with at most 3 edits, one for each 3 of its characters, ignoring
 * case. Returns `undefined` if there is none, or if the given name has more than 40 characters.
 */
export function nearestOf(given: string, names: Iterable<string>): string | undefined {
  if (given.length > maxCompared) return undefined
  const most = Math.min(maxEdits, Math.floor(given.length / 3))
  const found = [...names].map((name) => ({ name, edits: editsOf(name.toLowerCase(), given.toLowerCase()) }))
  const [nearest] = found.toSorted((one, other) => one.edits - other.edits)
  return nearest && nearest.edits <= most ? nearest.name : undefined
}

/**
 * Returns the remedy for a value that is not one of the choices: the choice that it resembles, then the list, of at most 40.
 * Without any choices returns an empty string.
 */
export function suggestChoice(given: unknown, choices: readonly unknown[]): string {
  const names = choices.map(String)
  const near = typeof given === 'string' ? nearestOf(given, names) : undefined
  const shown = names.slice(0, maxListed).join(', ') + (names.length > maxListed ? '…' : '')
  const list = names.length === 1 ? `the only choice is ${shown}` : `use one of ${shown}`
  if (names.length === 0) return ''
  return near === undefined ? list : `did you mean ${near}? ${capital(list)}`
}

/**
 * Returns the message for a name that does not exist: `There is no script named "sin-up"; did you mean sign-up? …`.
 * Without any names it suggests none.
 */
export function unknownName(what: string, name: string, names: readonly string[]): string {
  const problem = `There is no ${what} named ${JSON.stringify(name.slice(0, 100))}`
  return names.length === 0 ? `${problem}.` : `${problem}; ${suggestChoice(name, names)}.`
}

function capital(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1)
}

/** Returns how many characters to change, add, remove, or swap with their neighbor, to make two strings equal. */
function editsOf(one: string, other: string): number {
  let before: readonly number[] = []
  let above: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 0; row < one.length; row += 1) {
    const next = [row + 1]
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (above[at - 1] ?? 0) + (one[row] === other[at - 1] ? 0 : 1)
      const isSwapped = row > 0 && at > 1 && one[row] === other[at - 2] && one[row - 1] === other[at - 1]
      const swapped = isSwapped ? (before[at - 2] ?? 0) + 1 : changed
      next.push(Math.min(changed, swapped, (above[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    before = above
    above = next
  }
  return above.at(-1) ?? 0
}
