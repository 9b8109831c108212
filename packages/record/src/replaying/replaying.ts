import { createEngine, type Engine, type EngineOptions } from '@harvestman/core'
import { EngineError } from '@harvestman/ports'
import { definePlugin, type EnginePorts, type Plugin } from '@harvestman/core/plugin'

import { filesToWrite, readLimits, readSecrets, type RecordOptions } from '../options.ts'
import { redactionOf } from '@harvestman/toolbox/redaction'
import { recordedPorts } from '../recording/recorded-ports.ts'
import { openRecorder, type FileRecorder } from '../recording/recorder.ts'
import { readRecorded } from '../reading/recorded.ts'
import { replayedPorts } from './replayed-ports.ts'

/** Options of `replaying`. */
export interface ReplayOptions extends Omit<RecordOptions, 'file'> {
  /**
   * Whether to load requests that are not in the record and add them to it. Otherwise they fail with `not_cached`. Default:
   * `false`.
   */
  readonly patch?: boolean | undefined
}

/**
 * Creates the plugin of a replay: an engine with it receives its network traffic, model answers and searches only from the
 * record. Rejects with `not_found` if there is no such record, and with `invalid_request` if it is damaged or an option is
 * invalid. Other requests fail with `not_cached`, or are made and added to the record with `patch`.
 */
export async function replaying(file: string, options: ReplayOptions = {}): Promise<Plugin> {
  const redaction = redactionOf(readSecrets(options.secrets))
  const limits = readLimits(options.limits)
  if (options.patch) filesToWrite(file)
  const recorded = await readRecorded(file, redaction)
  let warn: (sentence: string) => void = () => undefined
  let opening: Promise<FileRecorder> | undefined
  let isClosed = false
  const openAll = async (): Promise<FileRecorder> => {
    if (isClosed) throw new EngineError('closed', 'The engine was closed.')
    return openRecorder({
      ...{ files: filesToWrite(file), redaction, limits },
      isNew: false,
      first: recorded.next,
      warn: (sentence) => warn(sentence),
    })
  }
  const open = (): Promise<FileRecorder> => (opening ??= openAll())
  const beyond = (given: EnginePorts): EnginePorts | undefined =>
    options.patch ? recordedPorts(given, open, { time: (now) => now, id: (id) => id }) : undefined
  return definePlugin({
    name: 'replay',
    ports: (given) => replayedPorts(recorded, redaction, given, beyond(given), open),
    open: (context) => {
      warn = context.warn
    },
    close: async () => {
      isClosed = true
      await (await opening)?.close()
    },
  })
}

/** Options of `replay`. */
export interface ReplayEngineOptions<Plugins extends readonly Plugin[]> extends ReplayOptions {
  /** The other options of the engine, as in the recorded run. */
  readonly engine?: EngineOptions<Plugins> | undefined
}

/**
 * Opens an engine that replays a record: the same requests give the same documents, without any connection. Rejects with
 * `not_found` if there is no such record, and with `invalid_request` if it is damaged or an option is invalid. Requests that
 * are not in the record fail with `not_cached`, or are made and added to it with `patch`.
 */
export async function replay<const Plugins extends readonly Plugin[] = readonly []>(
  file: string,
  { engine = {}, ...options }: ReplayEngineOptions<Plugins> = {},
): Promise<Engine<Plugins>> {
  const plugins: readonly Plugin[] = [...(engine.plugins ?? []), await replaying(file, options)]
  // Cast: the replay plugin adds nothing to the type of the engine.
  return createEngine({ ...engine, plugins: plugins as Plugins })
}
