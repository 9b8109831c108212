// A caller of run.ts, alone in its process, so that what it does costs the server nothing but its requests:
//   node load.ts <url> <key> <work> <sites> <lines>
// Each time it is told a number it makes so many requests, so many lines under way at once, and tells how long each took, and how often
// and how fast it was refused. Told less than 1, it goes on until it is told to end: 0 with a low priority, for these callers would be
// on machines of their own.
import { getPriority, setPriority } from 'node:os'

const [url = '', key = '', work = '', sites = '', lines = ''] = process.argv.slice(2)
const rest = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms))
const run = crypto.randomUUID().replaceAll(/\D/g, '').slice(0, 6)
let next = 0

interface Said {
  readonly status: number
  readonly body: { readonly id?: string; readonly status?: string }
}

async function ask(method: string, path: string, body?: object): Promise<Said> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, body: (await response.json()) as Said['body'] }
}

type Work = (pollEvery: number, isOver: () => boolean) => Promise<number>
const works: Readonly<Record<string, Work>> = {
  scrape: async () => (await ask('POST', '/v2/scrape', { url: `${sites}/${run}/${next++}`, timeout: 120_000 })).status,
  batch: async (pollEvery, isOver) => {
    const urls = Array.from({ length: 4 }, () => `${sites}/${run}/${next++}`)
    const { status, body } = await ask('POST', '/v2/batch/scrape', { urls, timeout: 120_000 })
    if (status !== 200) return status
    const path = `/v2/batch/scrape/${body.id}`
    while (!isOver() && (await ask('GET', path)).body.status === 'scraping') await rest(pollEvery)
    // It may have ended by itself meanwhile.
    if (isOver()) await ask('DELETE', path)
    return 200
  },
}
const once = works[work] ?? (async () => 0)

/** As a client does that is told to come later, only much sooner. */
const comesAgainAfter = 250

async function make(requests: number, isOver: () => boolean): Promise<void> {
  const times: number[] = []
  const refusals: number[] = []
  let left = requests < 1 ? Infinity : requests
  const line = async (): Promise<void> => {
    while (!isOver() && left > 0) {
      left -= 1
      const began = performance.now()
      // The latency of a few is wanted exactly. Many do as clients do, only sooner.
      const status = await once(requests > 0 ? 10 : 200, isOver)
      const took = performance.now() - began
      if (status === 200) times.push(took)
      else if (status !== 429) throw new Error(`Answered ${status}.`)
      else {
        refusals.push(took)
        await rest(requests < 0 ? 20 : comesAgainAfter)
      }
    }
  }
  await Promise.all(Array.from({ length: Number(lines) }, line))
  process.send?.({ times, refusals })
}

let end = new AbortController()
process.on('message', (told) => {
  if (typeof told !== 'number') return end.abort()
  const { signal } = (end = new AbortController())
  if (told === 0 && getPriority() < 10) setPriority(10)
  void make(told, () => signal.aborted)
})
process.once('disconnect', () => process.exit())
