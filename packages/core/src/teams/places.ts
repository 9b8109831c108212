import { EngineError } from '../errors/error.ts'

/** A place to work in, that has to be left. */
export interface HeldPlace {
  /** Milliseconds that were waited for it. */
  readonly waited: number
  leave(): void
}

/** Places of each team: as many work at once as its limit says, the others wait in line. */
export interface TeamPlaces {
  /** Rejects with `rate_limited` when too many wait already, and with the signal's reason while waiting. */
  enter(team: string, limits: PlaceLimits, signal: AbortSignal): Promise<HeldPlace>
  /** How many work and how many wait, of a team. */
  count(team: string): { readonly working: number; readonly waiting: number }
}

export interface PlaceLimits {
  readonly concurrency?: number | undefined
  readonly queue?: number | undefined
}

interface Line {
  working: number
  readonly waiting: (() => void)[]
}

const usualQueue = 10_000

export function makeTeamPlaces(now: () => number = () => performance.now()): TeamPlaces {
  const lines = new Map<string, Line>()
  const leave = (team: string, line: Line): void => {
    line.working -= 1
    line.waiting.shift()?.()
    if (line.working === 0 && line.waiting.length === 0) lines.delete(team)
  }
  const hold = (team: string, line: Line, since: number): HeldPlace => {
    let isHeld = true
    line.working += 1
    return {
      waited: now() - since,
      leave: () => {
        if (isHeld) leave(team, line)
        isHeld = false
      },
    }
  }
  return {
    enter: async (team, { concurrency = Infinity, queue = usualQueue }, signal) => {
      signal.throwIfAborted()
      const since = now()
      const line = lines.get(team) ?? { working: 0, waiting: [] }
      lines.set(team, line)
      if (line.working < concurrency) return hold(team, line, since)
      if (line.waiting.length >= queue) throw queueFull(queue)
      await wait(line, signal)
      return hold(team, line, since)
    },
    count: (team) => {
      const line = lines.get(team)
      return { working: line?.working ?? 0, waiting: line?.waiting.length ?? 0 }
    },
  }
}

/** Waits for a place, for as long as the request has time. */
export async function waitForPlace(
  places: TeamPlaces,
  team: string,
  limits: PlaceLimits,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<HeldPlace> {
  if (limits.concurrency === undefined) return { waited: 0, leave: () => undefined }
  const late = AbortSignal.timeout(timeout)
  try {
    return await places.enter(team, limits, signal ? AbortSignal.any([signal, late]) : late)
  } catch (error) {
    if (EngineError.is(error)) throw error
    if (!late.aborted) throw new EngineError('aborted', 'The caller cancelled the request.', { cause: error })
    const message = `The request waited ${timeout} ms for the other pages of its team. Raise timeout, or ask for fewer at once.`
    throw new EngineError('timeout', message, { cause: error })
  }
}

function wait({ waiting }: Line, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const stop = (): void => {
      waiting.splice(waiting.indexOf(turn), 1)
      reject(signal.reason)
    }
    waiting.push(turn)
    signal.addEventListener('abort', stop, { once: true })
  })
}

function queueFull(queue: number): EngineError {
  return new EngineError('rate_limited', `${queue} requests of this team wait already. Try again when some are done.`, {
    details: { retryAfter: 5 },
  })
}
