import { isDamagedRecord, isNewerRecord } from '@harvestman/coordination'
import { type EngineError, publicMessage } from '@harvestman/ports'
import { backoffAfter } from '@harvestman/toolbox/backoff'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import { makeSequence } from '@harvestman/toolbox/sequence'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import { noteEntries } from '../log/facts.ts'
import type { JobState } from '../log/state.ts'
import type { JobKit } from '../kit.ts'
import type { Command, CommandBody } from './command.ts'
import type { Ending } from './ending.ts'
import type { LeasedJob } from './leased-job.ts'
import type { Strategy } from './strategy.ts'

/** Processes the commands to a job, in order. */
export interface CommandProcessor {
  /** True if all known commands have been processed. */
  readonly isIdle: boolean
  /** Why the next command must be left to a newer engine version, if it must. */
  readonly newer: EngineError | undefined
  /**
   * Processes the commands that are new. `all` are all commands of the job. Never rejects: lost work ends the job as failed,
   * because a job that completes without the work it was given would hide the loss; loaded pages can still be read.
   */
  follow(all: readonly Command[]): Promise<void>
  /**
   * Reads and processes the commands. Waits while the store is unavailable. Resolves when the commands are known, and in a
   * reopened job when they have been processed: its credits may be spent, so it could end again before.
   */
  begin(read: () => Promise<readonly Command[]>): Promise<void>
}

export interface CommandProcessorOptions {
  readonly job: LeasedJob
  readonly state: JobState
  readonly strategy: Strategy
  /** True if the job had ended and continues because of its commands. */
  readonly isReopened: boolean
  /** Aborts when the run ends. */
  readonly end: AbortController
  readonly kit: JobKit
  readonly ending: Ending
  /** Called after known commands have been processed. */
  readonly processed: () => void
  /** Ends the job as failed. */
  readonly fail: (message: string) => Promise<void>
}

/** Length of the work that is added to the log before the next command waits for it. A large part of a batch has more. */
const maxPendingBytes = 200_000
/** The work of a command that adds none. */
const noWork: CommandBody = { work: [], bytes: 0 }
const workLost = 'The store has lost work that was added to this job. Start a new job with it.'

/**
 * Creates the processor of a run, which knows no commands yet. A cancel ends the job immediately, even while the work of another
 * command is read or the store is unavailable.
 */
export function makeCommandProcessor(options: CommandProcessorOptions): CommandProcessor {
  const { state, strategy, isReopened, kit, end, ending, processed, fail } = options
  const read = makeReader(options)
  let commands: readonly Command[] = []
  let followed = state.tally.commands
  let newer: EngineError | undefined

  const answered = () => ({ is: 'answered', at: kit.clock.now(), letters: followed }) as const
  const cancel = (): Promise<void> => {
    followed = commands.length
    return ending.finish({ is: 'ended', status: 'cancelled', cancelled: strategy.left() }, answered())
  }
  const leaveToNewer = async (error: unknown): Promise<undefined> => {
    if (!isNewerRecord(error)) throw error
    newer = error
    if (isReopened) await ending.leave(error)
  }
  const processKnown = async (): Promise<void> => {
    let stored = Promise.resolve()
    let pending = 0
    for (const command of newer ? [] : commands.slice(followed)) {
      const body = command.asks === 'more' ? await read(command.body).catch(leaveToNewer) : noWork
      // Work that is read after the end of the run is left to the next one.
      if (!body || ending.hasBegun) break
      const notes = body === noWork ? [] : (strategy.more?.(body.work) ?? [])
      followed += 1
      // One write, so that after a crash the command has been processed or not. The log stores several commands together.
      stored = ending.add([...noteEntries(notes, kit.clock.now()), { fact: answered() }])
      pending += body.bytes
      if (pending < maxPendingBytes) continue
      await stored
      await nextTurn()
      pending = 0
    }
    await stored
    processed()
  }
  const processPending = runInTurn(processKnown)
  const follow: CommandProcessor['follow'] = async (all) => {
    const isFirst = commands.length === 0
    const fresh = all.slice(Math.max(commands.length, followed))
    if (all.length > commands.length) commands = all
    if (ending.hasBegun) return
    if ((isReopened && isFirst ? fromFirstMore(fresh) : fresh).some(({ asks }) => asks === 'cancel')) return cancel()
    await processPending().catch(async (error: unknown) => {
      if (end.signal.aborted) return
      await fail(isDamagedRecord(error) ? workLost : publicMessage(error, 'Harvestman has a bug.'))
    })
  }

  return {
    follow,
    begin: async (readCommands) => {
      const processing = follow(await read(readCommands))
      if (isReopened) await processing
    },
    get isIdle() {
      return followed >= commands.length
    },
    get newer() {
      return newer
    },
  }
}

/** Skips a cancel that came when the job had ended. It is not meant for work that was added later. */
function fromFirstMore(commands: readonly Command[]): readonly Command[] {
  return commands.slice(commands.findIndex(({ asks }) => asks === 'more'))
}

/** Returns a function that does the work after the current run of it. Calls in the meantime share one run. */
function runInTurn(work: () => Promise<void>): () => Promise<void> {
  const inOrder = makeSequence()
  let next: Promise<void> | undefined
  const run = (): Promise<void> => {
    next = undefined
    return work()
  }
  return () => (next ??= inOrder.run(run))
}

/** Delays in milliseconds between attempts to read commands and their work. */
const retries = { first: 100, longest: 1_000 }
/** Attempts, about 10 seconds, after which missing work is lost. Its sender stores it again if the store has just moved. */
const maxMisses = 12

/**
 * Returns a function that reads from the store, however long it is unavailable, with one warning per run. It rejects if the run
 * ends, with `newer_version`, and if a record stays damaged.
 */
function makeReader({ job, end: { signal }, kit }: CommandProcessorOptions) {
  let hasWarned = false
  return async <T>(read: () => Promise<T>): Promise<T> => {
    for (let failures = 1, misses = 0; ; failures += 1) {
      try {
        return await untilAborted(read(), signal)
      } catch (error) {
        if (signal.aborted || isNewerRecord(error)) throw error
        if (isDamagedRecord(error)) misses += 1
        if (misses >= maxMisses) throw error
        if (!hasWarned) kit.warn('The commands to a job cannot be read. Reading them is retried.', error, job.opening)
        hasWarned = true
      }
      await kit.clock.sleep(backoffAfter(failures, retries), signal)
    }
  }
}
