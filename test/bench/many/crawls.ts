// What the benches of many processes have in common: crawls that are waited for, and the processor time of a process.
import { readFileSync } from 'node:fs'

import { post, statusAt, type JobAnswer } from '../../e2e/many/cluster.ts'

const usualLook = 250

export interface Crawled {
  readonly ids: readonly string[]
  readonly completed: number
  readonly seconds: number
}

/** Crawls all addresses at once through the API at this address, and asks for the state of each until all have ended. */
export async function crawlAll(
  api: string,
  urls: readonly string[],
  options: object,
  { pollInterval = usualLook } = {},
): Promise<Crawled> {
  const begin = performance.now()
  const opened = await Promise.all(urls.map((url) => post(`${api}/v2/crawl`, { url, ...options })))
  const ids = opened.map(({ id }) => id)
  const hasEnded = ({ status }: JobAnswer): boolean => status !== 'scraping'
  const ended = await Promise.all(ids.map((id) => askUntil({ api, id, pollInterval }, hasEnded)))
  const completed = ended.reduce((sum, one) => sum + one.completed, 0)
  return { ids, completed, seconds: (performance.now() - begin) / 1000 }
}

/** Asks for the state of crawls that have ended, as often as of those that run. */
export async function askOnly(api: string, ids: readonly string[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  await Promise.all(ids.map((id) => askUntil({ api, id, pollInterval: usualLook }, () => performance.now() > end)))
}

interface Asked {
  readonly api: string
  readonly id: string
  readonly pollInterval: number
}

async function askUntil(
  { api, id, pollInterval }: Asked,
  isEnough: (answer: JobAnswer) => boolean,
): Promise<JobAnswer> {
  for (;;) {
    const answer = await statusAt(`${api}/v2/crawl/${id}?limit=1`)
    if (isEnough(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, pollInterval))
  }
}

/** Processor time of a process so far, in milliseconds. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
