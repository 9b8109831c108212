// node test/bench/visible/run.ts
// Prints in which formats of each loader hidden, folded and visible text is found: `+` found, `-` not found. A `!` marks a result
// that is wrong. A snapshot of a live browser has only what is visible at present, so folded text may be in it or not.
import {
  expectedOf,
  formats,
  hasText,
  isExpectedInSnapshot,
  kinds,
  loaders,
  openTable,
} from '../../e2e/visible-text/table.ts'

const table = await openTable()
const columns = [...loaders.flatMap((loader) => formats.map((format) => `${loader} ${format}`)), 'snapshot']
console.log(`| | ${columns.join(' | ')} |\n| --- |${' --- |'.repeat(columns.length)}`)
let cells = 0
let wrong = 0
const cell = (isFound: boolean, isRight: boolean): string => {
  cells++
  if (!isRight) wrong++
  return `${isFound ? '+' : '-'}${isRight ? '' : ' !'}`
}
try {
  for (const kind of kinds) {
    const row: string[] = []
    for (const loader of loaders) {
      const found = await table.read(kind, loader)
      const expected = expectedOf(kind)
      for (const format of formats) row.push(cell(found[format], found[format] === expected[format]))
    }
    const isInSnapshot = hasText(await table.snapshot(kind))
    row.push(cell(isInSnapshot, isInSnapshot === (isExpectedInSnapshot(kind) ?? isInSnapshot)))
    console.log(`| ${kind.isSeen ? 'visible or folded' : 'hidden'}: ${kind.name} | ${row.join(' | ')} |`)
  }
} finally {
  await table.close()
}
console.log(`\n${kinds.length} kinds, ${cells} cells, ${wrong} wrong.`)
