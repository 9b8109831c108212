// A caller of run.ts, alone in its process, so that what it does costs the server nothing but its requests:
//   node load.ts <url> <key> <work> <host> <lines> <requests, or 0: until it is told to end>
// It has so many requests under way, and tells how long each took, and how often and how fast it was refused.
import { getPriority, setPriority } from 'node:os'

const [url = '', key = '', work = '', host = '', lines = '', requests = ''] = process.argv.slice(2)
const most = Number(requests)
// The callers of the other team would be on machines of their own.
if (most === 0) setPriority(getPriority() + 10)
const over = new AbortController()
let next = 0
const times: number[] = []
const refusals: number[] = []

async function ask(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: { id?: string; status?: string } }> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, body: (await response.json()) as { id?: string; status?: string } }
}

const works: Readonly<Record<string, (number: number) => Promise<number>>> = {
  scrape: async (number) =>
    (await ask('POST', '/v2/scrape', { url: `https://${host}/${number}`, timeout: 120_000 })).status,
  batch: async (number) => {
    const urls = Array.from({ length: 4 }, (_, page) => `https://${host}/${number}/${page}`)
    const { status, body } = await ask('POST', '/v2/batch/scrape', { urls, timeout: 120_000 })
    if (status !== 200) return status
    while ((await ask('GET', `/v2/batch/scrape/${body.id}`)).body.status === 'scraping') await rest(pollEvery)
    return 200
  },
}

// The latency of a few is wanted exactly. Many do as clients do, only sooner.
const pollEvery = most > 0 ? 10 : 200
const rest = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms))

async function line(): Promise<void> {
  const goesOn = (): boolean => !over.signal.aborted && (most === 0 || next < most)
  while (goesOn()) {
    const number = next++
    const began = performance.now()
    const status = (await works[work]?.(number)) ?? 0
    const took = performance.now() - began
    if (status !== 429) times.push(took)
    else {
      refusals.push(took)
      // As a client does that is told to come later, only sooner.
      await rest(100)
    }
  }
}

process.once('message', () => over.abort())
await Promise.all(Array.from({ length: Number(lines) }, line))
process.send?.({ times, refusals }, () => process.exit())
