// Prints what a site sees of each loader and of the installed Chromium, and why they differ.
// node test/bench/identity/run.ts [--values]
import { clients, differences, readTable, whyDifferent, type Client } from './table.ts'

const table = await readTable()
const showsValues = process.argv.includes('--values')
const names = (Object.keys(clients) as Client[]).filter((name) => clients[name].like !== undefined)
const signals = [...new Set(names.flatMap((name) => Object.keys(table[name])))]
let unexplained = 0
for (const signal of signals) {
  const different = names.filter((name) => differences(table, name).includes(signal))
  console.log(`${signal}: ${different.length === 0 ? 'equal' : `differs in ${different.join('; ')}`}`)
  const reasons = Map.groupBy(different, (name) => whyDifferent(signal, name) ?? 'NOT EXPLAINED')
  unexplained += reasons.get('NOT EXPLAINED')?.length ?? 0
  for (const [reason] of reasons) console.log(`    ${reason}`)
  if (!showsValues) continue
  const values = Map.groupBy(Object.keys(table) as Client[], (name) => table[name][signal] ?? '(no scripts)')
  for (const [value, who] of values) console.log(`      ${who.join('; ')}: ${value}`)
}
console.log(`${signals.length} signals, ${unexplained} unexplained differences.`)
process.exitCode = unexplained > 0 ? 1 : 0
