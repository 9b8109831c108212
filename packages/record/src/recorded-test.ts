import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { createEngine, EngineError, type Engine, type EngineOptions } from '@harvestman/core'
import type { Plugin } from '@harvestman/core/plugin'
import { makeFolder } from '@harvestman/toolbox/make-folder'

import { filesOf, type RecordOptions } from './options.ts'
import { recording } from './recording/recording.ts'
import { replay } from './replaying/replaying.ts'

/** Options of `recorded`. */
export interface RecordedOptions<Plugins extends readonly Plugin[]> extends Omit<RecordOptions, 'file'> {
  /** Options of the engine. */
  readonly engine?: EngineOptions<Plugins> | undefined
  /** Folder of the recordings. Default: `recordings`. */
  readonly folder?: string | undefined
  /** Whether to replace an existing recording. Default: `false`. */
  readonly again?: boolean | undefined
}

/**
 * Wraps work with an engine as the body of a test for vitest or `node:test`:
 * `test('a price', recorded('price', async (engine) => { … }))`. The first run is recorded, unless the work fails; later runs
 * replay the recording without any network access, and a request that is not in it rejects with `not_cached`. With `again`,
 * records anew. Throws `invalid_request` if the name has no letter or digit, or more than 100 characters, where other
 * characters in a row count as one. Names that differ only in case or in other characters share one recording.
 */
export function recorded<const Plugins extends readonly Plugin[] = readonly []>(
  name: string,
  work: (engine: Engine<Plugins>) => Promise<void>,
  { engine: engineOptions = {}, folder = 'recordings', again = false, ...options }: RecordedOptions<Plugins> = {},
): () => Promise<void> {
  const file = join(folder, `${nameOf(name)}.warc.gz`)
  return async () => {
    if (existsSync(file) && !again) {
      await using engine = await replay(file, { ...options, engine: engineOptions })
      await work(engine)
      return
    }
    makeFolder(folder)
    const drafts = await mkdtemp(join(folder, '.recording-'))
    try {
      const draft = join(drafts, basename(file))
      await recordWork(draft, options, engineOptions, work)
      await moveAll(draft, file)
    } finally {
      // A failed recording is discarded, so that the next run records again.
      await rm(drafts, { recursive: true, force: true })
    }
  }
}

async function recordWork<Plugins extends readonly Plugin[]>(
  file: string,
  options: Omit<RecordOptions, 'file'>,
  engineOptions: EngineOptions<Plugins>,
  work: (engine: Engine<Plugins>) => Promise<void>,
): Promise<void> {
  const plugins: readonly Plugin[] = [...(engineOptions.plugins ?? []), recording({ ...options, file })]
  // Cast: the recording plugin adds nothing to the type of the engine.
  await using engine: Engine<Plugins> = createEngine({ ...engineOptions, plugins: plugins as Plugins })
  await work(engine)
}

async function moveAll(from: string, to: string): Promise<void> {
  const [sources, targets] = [filesOf(from), filesOf(to)]
  // The record is moved last: if it exists, the other files do too.
  for (const part of ['rest', 'index', 'warc'] as const) await rename(sources[part], targets[part])
}

function nameOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  if (plain === '' || plain.length > 100)
    throw new EngineError('invalid_request', 'recorded: the name must have 1 to 100 letters or digits.')
  return plain
}
