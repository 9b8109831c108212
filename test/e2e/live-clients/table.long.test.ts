// @module-tag long
// @module-tag browser
// @module-tag bubblewrap
// @module-tag python3
import { expect, test } from 'vitest'

import { clients, runTasks } from './run.ts'
import { tasks } from './tasks.ts'

test('each ordinary task works with each client of a live browser, or is refused with what to do instead', async () => {
  const rows = await runTasks()
  const found = rows.flatMap(({ task, cells }) =>
    clients.map((client) => {
      const { outcome, said } = cells[client]
      return `${task}, ${client}: ${outcome === 'fails' ? `fails: ${said}` : outcome}`
    }),
  )
  const wanted = tasks.flatMap(({ name, refused }) =>
    clients.map((client) => `${name}, ${client}: ${client === 'puppeteer' && refused ? 'refused' : 'works'}`),
  )
  expect(found).toEqual(wanted)
})
