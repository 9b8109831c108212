// What the tests of records share: a folder, a site, runs that are recorded, and replays with the network shut.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine, type EngineOptions } from '@harvestman/core'

import { recording, replay, type RecordOptions, type ReplayOptions } from '../src/index.ts'

export const here = ['127.0.0.1/32', '::1/128']

/** The part of an engine that every run of these tests uses. */
export type RunEngine = Awaited<ReturnType<typeof replay>>

/** Makes an empty folder, which is removed by `clean`. */
export function makeFolder(): { readonly file: (name: string) => string; readonly clean: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'record-'))
  return {
    file: (name) => join(folder, name),
    clean: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Runs with a recording engine. */
export async function record<T>(
  options: RecordOptions,
  engine: EngineOptions,
  run: (engine: RunEngine) => Promise<T>,
): Promise<T> {
  await using recorder = createEngine({ allowPrivate: here, ...engine, plugins: [recording(options)] })
  return await run(recorder)
}

const running = new AsyncLocalStorage<object>()

/** Runs with an engine that replays, and returns how many connections it made. Other tests share the process, and are not counted. */
export async function rerun<T>(
  file: string,
  work: (engine: RunEngine) => Promise<T>,
  { engine, ...options }: ReplayOptions & { readonly engine?: EngineOptions } = {},
): Promise<{ readonly result: T; readonly connections: number }> {
  const run = {}
  let connections = 0
  const count = (): void => void (connections += running.getStore() === run ? 1 : 0)
  subscribe('net.client.socket', count)
  try {
    return await running.run(run, async () => {
      await using replayed = await replay(file, { ...options, engine: { allowPrivate: here, ...engine } })
      return { result: await work(replayed), connections }
    })
  } finally {
    unsubscribe('net.client.socket', count)
  }
}

/** The outcome of each scrape: its document as it is printed, or its failure. */
export function scrapeAll(engine: RunEngine, requests: readonly Parameters<RunEngine['scrape']>[0][]) {
  return requests.reduce<Promise<string[]>>(async (before, request) => {
    const done = await before
    const outcome = await engine.scrape(request).then(
      (document) => JSON.stringify(document),
      (error: unknown) => JSON.stringify(error),
    )
    return [...done, outcome]
  }, Promise.resolve([]))
}
