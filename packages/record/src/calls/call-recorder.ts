import type { Begun } from '../notes.ts'
import type { RecordLimits } from '../options.ts'
import { makeRecorder, type Recorder } from '../recording/recorder.ts'
import type { Redaction } from '@harvestman/toolbox/redaction'
import type { Segment, Archive } from './archive.ts'
import { notesAppender, archiveAppender } from './archive-appender.ts'

/** Records the work done for one id. */
export interface CallRecorder {
  readonly recorder: Recorder
  /** Whether work is running. Clock readings at other times are not recorded. */
  readonly isBusy: boolean
  /** Notes the start of a task. Several may run at once. */
  begin(): void
  /** Notes the end of a task. After the last running one, resolves when everything is stored. Never rejects. */
  end(): Promise<void>
}

export interface CallRecorderOptions {
  readonly archive: Archive
  readonly to: Omit<Segment, 'segment'>
  /** Identifies this engine among the engines that record for the same id. */
  readonly owner: string
  readonly limits: RecordLimits
  readonly redaction: Redaction
  readonly now: () => number
  readonly begun: Omit<Begun, 'is' | 'version' | 'at' | 'first'>
  readonly warn: (sentence: string) => void
}

// Sequence numbers are times with a counter for each millisecond, so that numbers from several engines sort by time.
const placesOfTime = 1_000

/**
 * Opens a segment of the record of one id. If it is full or cannot be written, a warning is sent and the work
 * continues unrecorded.
 */
export function openCallRecorder(options: CallRecorderOptions): CallRecorder {
  const { archive, to, owner, limits, redaction, now, begun } = options
  const segment: Segment = { ...to, segment: `${String(now()).padStart(15, '0')}-${owner}` }
  const warn = (sentence: string): void => options.warn(`The record of ${to.id} goes no further: ${sentence}`)
  const warc = archiveAppender({ archive, to: segment, most: limits.fileBytes, lost: warn })
  const rest = notesAppender(warc, now)
  let [order, works] = [0, 0]
  const next = (): number => (order = Math.max(order + 1, Math.round(now()) * placesOfTime))
  const recorder = makeRecorder({
    ...{ name: `${to.id}.warc.gz`, redaction, limits, warc, rest, index: [], isNew: true, next, warn: options.warn },
  })
  return {
    recorder,
    get isBusy() {
      return works > 0
    },
    begin: () => {
      works += 1
      if (works > 1) return
      recorder.note({ is: 'begun', version: 1, at: now(), first: next(), ...begun })
    },
    end: async () => {
      works -= 1
      if (works > 0) return
      recorder.note({ is: 'ended' })
      rest.flush()
      await warc.flush()
    },
  }
}
