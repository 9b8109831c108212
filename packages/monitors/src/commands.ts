// CLI commands that do more than call one endpoint.
import type { CommandOutput, MakeCommand, MethodsOf } from '@harvestman/core/plugin'
import { z } from 'zod'

import type { monitorsEndpoints } from './endpoints.ts'
import { newMonitorSchema } from './requests/monitor.ts'
import type { Monitor } from './results.ts'

type Endpoints = ReturnType<typeof monitorsEndpoints>

type Methods = MethodsOf<Endpoints>

const limit = 100
const pollInterval = 250

const { name, goal, retentionDays, maxCreditsPerMonth } = newMonitorSchema.shape

const newMonitor = z.object({
  urls: z.array(z.string()).describe('the pages'),
  schedule: z
    .string()
    .default('daily')
    .describe('such as "every 30 minutes", hourly or "daily at 9:00"; default: daily'),
  name: name.optional().describe('its display name; default: the first page'),
  webhook: z.string().optional().describe('post the results of each check to this URL'),
  goal: goal.unwrap().optional().describe('a sentence about the changes that matter'),
  retentionDays,
  maxCreditsPerMonth,
})

const oneMonitor = z.object({ id: z.string().describe('the monitor') })

/** The CLI commands of monitors. */
export const monitorsCommands = (command: MakeCommand<Endpoints>) => ({
  create: command({
    summary: 'Creates a monitor of pages, and prints its id.',
    input: newMonitor,
    arguments: ['urls'],
    flags: { schedule: '--schedule <words>', name: '--name <name>', webhook: '--webhook <url>' },
    run: async function* ({ endpoints, input: { urls, schedule: text, name = urls[0] ?? '', ...rest } }) {
      const targets = [{ type: 'scrape' as const, urls }]
      const monitor = await endpoints.create({ ...rest, name, schedule: { text }, targets })
      const next = `A server checks it next at ${monitor.nextRunAt ?? 'no time'}.`
      const message = `${next} Check it now: harvestman monitors run ${monitor.id}`
      yield { lines: [[monitor.id]], result: monitor, message }
    },
  }),
  list: command({
    summary: 'Lists the monitors with their last check.',
    run: async function* ({ endpoints }) {
      for (let offset = 0; ; offset += limit) {
        const monitors = await endpoints.list({ limit, offset })
        yield { lines: monitors.map(lineOf), widths: [36, 29], result: monitors }
        if (offset === 0 && monitors.length === 0)
          yield { message: 'There are no monitors. Create one with harvestman monitors create.' }
        if (monitors.length < limit) return
      }
    },
  }),
  run: command({
    summary: 'Checks a monitor now, and prints what changed.',
    input: oneMonitor,
    arguments: ['id'],
    run: async function* ({ endpoints, input: { id }, signal }) {
      const { id: checkId } = await endpoints.run(id)
      for (;;) {
        signal.throwIfAborted()
        const { status } = await endpoints.check(id, checkId, { limit: 1 })
        if (status !== 'queued' && status !== 'running') break
        await new Promise((resolve) => setTimeout(resolve, pollInterval))
      }
      yield* printCheck(endpoints, id, checkId)
    },
  }),
  show: command({
    summary: 'Prints what the last check found.',
    input: oneMonitor,
    arguments: ['id'],
    run: async function* ({ endpoints, input: { id } }) {
      const [last] = await endpoints.checks(id, { limit: 1 })
      if (last) yield* printCheck(endpoints, id, last.id)
      else yield { message: `It has not been checked yet. Check it now: harvestman monitors run ${id}` }
    },
  }),
  pause: setStatus(command, 'paused', 'Pauses a monitor.'),
  resume: setStatus(command, 'active', 'Resumes a monitor.'),
})

function setStatus(command: MakeCommand<Endpoints>, status: Monitor['status'], summary: string) {
  return command({
    summary,
    input: oneMonitor,
    arguments: ['id'],
    run: async function* ({ endpoints, input: { id } }) {
      const result = await endpoints.update(id, { status })
      yield { lines: [], result, message: `The monitor is ${status === 'paused' ? 'paused' : 'resumed'}.` }
    },
  })
}

function lineOf({ id, name, status, nextRunAt, lastCheckSummary }: Monitor) {
  const last = lastCheckSummary ? inWords(lastCheckSummary) : 'not checked yet'
  return [id, status === 'paused' ? 'paused' : `next ${nextRunAt ?? 'never'}`, last, name.slice(0, 200)]
}

/** Yields the pages of a check, then its summary. */
async function* printCheck(endpoints: Methods, id: string, checkId: string): AsyncGenerator<CommandOutput> {
  for (let skip = 0; ; skip += limit) {
    const { pages, status, summary, error } = await endpoints.check(id, checkId, { limit, skip })
    for (const page of pages) {
      const line = [page.status, page.url, ...(page.error === null ? [] : [page.error])]
      yield { lines: page.status === 'same' ? [] : [line], widths: [7], text: page.diff?.text, result: [page] }
    }
    if (pages.length === limit) continue
    yield { message: error ?? inWords(summary), isFailure: status === 'failed' }
    return
  }
}

function inWords({ totalPages, changed, removed, error, new: first }: NonNullable<Monitor['lastCheckSummary']>) {
  const counts = { changed, removed, new: first, failed: error }
  const found = Object.entries(counts).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []))
  return found.length > 0 ? found.join(', ') : `no change on ${totalPages} ${totalPages === 1 ? 'page' : 'pages'}`
}
