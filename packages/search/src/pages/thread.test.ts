import { Worker } from 'node:worker_threads'

import { expect, test } from 'vitest'

import type { Order, Report } from './messages.ts'
import { makeIndexThread } from './thread.ts'

test('queued pages are reported as lost if the thread ends before they are written', async () => {
  const page = { url: 'https://a.example/', title: 'A', markdown: 'Text', language: '', version: '', at: 0 }
  const reason = await new Promise((lost) => {
    // Cast: the thread fails at its start without options.
    const thread = makeIndexThread(undefined as never, lost)
    void thread.put('a', page)
  })
  expect(reason).toEqual(expect.any(String))
  expect(reason).not.toBe('')
})

test('the thread reads that a search was aborted while it writes many pages', async () => {
  const options = { folder: undefined, teams: 1, pages: 1_000, bytes: 1e9, life: 1e15, vectors: 0 }
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: options })
  const reports: Report[] = []
  const written = new Promise<void>((resolve) => {
    let pages = 0
    worker.on('message', (report: Report) => {
      reports.push(report)
      if (report.kind === 'taken') pages += report.pages
      if (pages === 100) resolve()
    })
  })
  const send = (order: Order): void => worker.postMessage(order)
  for (let number = 0; number < 100; number += 1) {
    const url = `https://a.example/${number}`
    const page = { url, title: 'A', markdown: 'word '.repeat(10_000), language: '', version: '', at: Date.now() }
    send({ kind: 'put', team: 'a', page })
  }
  send({ kind: 'cancel', id: 1 })
  await written
  await worker.terminate()
  expect(reports.findIndex(({ kind }) => kind === 'cancelled')).toBeLessThan(reports.length - 2)
  expect(reports.map(({ kind }) => kind)).toContain('cancelled')
})
