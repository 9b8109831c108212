import { definePlugin, type EnginePorts, type Plugin } from '@harvestman/core/plugin'

import { filesToWrite, readLimits, readSecrets, type RecordOptions } from '../options.ts'
import { redactionOf } from '@harvestman/toolbox/redaction'
import { searchNote, type Begun } from '../notes.ts'
import { earlyReadings, type Readings } from './readings.ts'
import { recordedPorts } from './recorded-ports.ts'
import { nextPlace } from '../reading/recorded.ts'
import { openRecorder, type FileRecorder } from './recorder.ts'

/**
 * Creates a plugin that records all network traffic, model answers and searches of an engine: `createEngine({ plugins:
 * [recording({ file: 'run.warc.gz' })] })`. Throws `invalid_request` if an option is invalid. An engine cannot start
 * if the file cannot be written.
 */
export function recording({ file, append = false, secrets, limits, command }: RecordOptions): Plugin {
  const files = filesToWrite(file)
  const redaction = redactionOf(readSecrets(secrets))
  const bounds = readLimits(limits)
  let warn: (sentence: string) => void = () => undefined
  let recorder: FileRecorder | undefined
  let opening: Promise<FileRecorder> | undefined
  const early = earlyReadings()
  let begun: Begun | undefined
  const openAll = async (): Promise<FileRecorder> => {
    const first = append ? await nextPlace(file, redaction) : 0
    const isNew = first === 0
    const opened = await openRecorder({ files, redaction, limits: bounds, isNew, first, warn: (text) => warn(text) })
    if (begun) opened.note({ ...begun, first })
    early.give(opened)
    recorder = opened
    return opened
  }
  const open = (): Promise<FileRecorder> => (opening ??= openAll())
  const readings: Readings = {
    time: (now) => (recorder ?? early).time(now),
    id: (id) => (recorder ?? early).id(id),
  }
  return definePlugin({
    name: 'record',
    ports: (given) => {
      begun = beginning(given, command?.map(redaction.argument))
      return recordedPorts(given, open, readings)
    },
    open: async (context) => {
      warn = context.warn
      await open()
    },
    close: async () => (await opening)?.close(),
  })
}

function beginning({ llm, search, clock }: EnginePorts, command: readonly string[] | undefined): Begun {
  return {
    is: 'begun',
    version: 1,
    at: clock.now(),
    model: llm && { name: llm.name, contextTokens: llm.contextTokens },
    search: search && searchNote(search),
    command,
  }
}
