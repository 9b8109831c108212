// Prints which ordinary tasks work with which client of a live browser, and the milliseconds of each, opening the page
// included, beside Puppeteer with a browser of its own. Usage: node test/bench/browser/clients.ts
import { clients, runTasks } from '../../e2e/live-clients/run.ts'

const rows = await runTasks()
console.log(`| task | ${clients.join(' | ')} | plain Puppeteer |`)
console.log(`| --- |${clients.map(() => ' --- |').join('')} ---: |`)
for (const { task, cells, plain } of rows) {
  const shown = clients.map((client) => `${cells[client].outcome}, ${cells[client].ms.toFixed(0)} ms`)
  console.log(`| ${task} | ${shown.join(' | ')} | ${plain.toFixed(0)} ms |`)
  for (const client of clients)
    if (cells[client].outcome === 'fails') console.error(`${task}, ${client}: ${cells[client].said}`)
}
