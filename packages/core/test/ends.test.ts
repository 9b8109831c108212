// What an engine leaves in its process.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { answer, startSite } from '@harvestman/testing'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const module = new URL('../src/index.ts', import.meta.url).href

/** Scrapes in a process of its own. Returns what was left when the engine was closed, once the process has ended by itself. */
async function leftBy(url: string): Promise<unknown> {
  const code = `
    import { createEngine } from ${JSON.stringify(module)}
    process.stdout.write('')
    const before = process.getActiveResourcesInfo().length
    const engine = createEngine({ allowPrivate: ['127.0.0.1'] })
    const { markdown } = await engine.scrape({ url: ${JSON.stringify(url)}, formats: ['markdown', 'links'] })
    await engine.close()
    // Closed handles are reported until the next turn.
    await new Promise((resolve) => setImmediate(resolve))
    const left = process.getActiveResourcesInfo().slice(before)
    process.stdout.write(JSON.stringify({ isRead: markdown.includes('hello'), left }))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code])
  return JSON.parse(stdout)
}

// The second page is read in a thread.
test.each([10, 200_000])(
  'a process that scraped a page of %d words and closed the engine ends by itself',
  async (words) => {
    const page = `<html><body><main><h1>Page</h1><p>${'hello '.repeat(words)}</p></main></body></html>`
    const site = await startSite({
      routes: [{ path: '/words', about: 'is a page of words', handle: (visit) => answer(visit, 'text/html', page) }],
    })
    onTestFinished(() => site.close())
    expect(await leftBy(`${site.url}/words`)).toEqual({ isRead: true, left: [] })
  },
)
