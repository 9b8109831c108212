import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { largeAnswers, startLargeSite, type LargeAnswer } from './large-answers.ts'

/** What one answer cost the server. */
export interface AnswerCost {
  readonly status: number
  /** Of a refusal. */
  readonly code?: string
  readonly bytes: number
  /** The longest step of its main thread, in milliseconds; and when the same is read again by its id. */
  readonly step: number
  readonly readAgain: number
  readonly megabytes: number
}

interface Told {
  readonly hasBrowser: boolean
  readonly url: string
  readonly megabytes: number
  readonly longest: number
}

export type LargeBench = Awaited<ReturnType<typeof openLargeBench>>

/** A server in a process of its own, and a site of large pages. */
export async function openLargeBench() {
  const site = await startLargeSite()
  const child = fork(fileURLToPath(new URL('./answers-server.ts', import.meta.url)), { execArgv: [] })
  const told = (): Promise<Told> => new Promise((resolve) => child.once('message', (report) => resolve(report as Told)))
  const tell = (question: 'reset' | 'tell'): Promise<Told> => {
    const answer = told()
    child.send(question)
    return answer
  }
  const { url, hasBrowser } = await told()
  const send = async (path: string, init?: RequestInit) => {
    await tell('reset')
    const response = await fetch(url + path, init)
    const body = Buffer.from(await response.arrayBuffer())
    return { status: response.status, body, ...(await tell('tell')) }
  }
  const post = (path: string, request: object) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ timeout: 120_000, ...request }),
    })
  const sendFile = ({ type, body, request }: LargeAnswer) => {
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(body(0))], { type }), 'file')
    form.append('options', JSON.stringify({ timeout: 120_000, ...request }))
    return send('/v2/parse', { method: 'POST', body: form })
  }
  const scrape = (page: LargeAnswer | undefined, request: object) =>
    post('/v2/scrape', { url: site.at(page), ...request })
  const batch = async (version: string) => {
    const page = largeAnswers.find(({ name }) => name.startsWith('all of a page'))
    const urls = [1, 2].map((index) => `${site.at(page)}?${index}`)
    const begun = await post(`/${version}/batch/scrape`, { urls, ...page?.request })
    const { id } = JSON.parse(begun.body.toString()) as { readonly id: string }
    for (;;) {
      const status = await send(`/${version}/batch/scrape/${id}`)
      if (/"status":"completed"/.test(status.body.toString('latin1', 0, 200))) return status
    }
  }
  // What is not warm yet costs once what it costs never again.
  for (let time = 0; time < 20; time += 1) await scrape(undefined, { formats: ['markdown', 'links', 'rawHtml'] })
  if (hasBrowser) await scrape(undefined, { formats: [{ type: 'screenshot' }], waitFor: 1 })
  return {
    hasBrowser,
    ask: async (page: LargeAnswer): Promise<AnswerCost> => {
      if (page.isAskedTwice) await scrape(page, page.request)
      const first = await (page.isSent ? sendFile(page) : scrape(page, page.request))
      const start = first.body.toString('latin1')
      const id = /"scrapeId":"([^"]+)"/.exec(start)?.[1]
      const code = /"code":"([^"]+)"/.exec(start.slice(0, 500))?.[1]
      const again = id === undefined ? undefined : await send(`/v2/scrape/${id}`)
      return {
        status: first.status,
        ...(first.status !== 200 && code !== undefined && { code }),
        bytes: first.body.length,
        step: first.longest,
        readAgain: again?.longest ?? 0,
        megabytes: first.megabytes,
      }
    },
    /** The status of a batch of large pages. */
    askStatus: async (version: string) => {
      const { body, longest } = await batch(version)
      return { bytes: body.length, step: longest }
    },
    close: async (): Promise<void> => {
      child.kill()
      await site.close()
    },
  }
}
