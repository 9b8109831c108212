import { EngineError } from '@harvestman/ports'
import type { Shares, ShareUser } from '../shares/shares.ts'

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
  /** Throws what `enter` would, when it is known already that too many wait. */
  check(team: string, limits: PlaceLimits): void
  /** How many work and how many wait, of a team. */
  count(team: string): { readonly working: number; readonly waiting: number }
}

export interface PlaceLimits {
  readonly concurrency?: number | undefined
  readonly queue?: number | undefined
}

interface Line {
  working: number
  /** As many at once, as it was said last. */
  most: number
  readonly waiting: (() => void)[]
}

export interface TeamPlacesOptions {
  readonly now?: () => number
  /** What this engine has of the places, where other engines give places to the same teams. */
  readonly shares?: Pick<Shares, 'mayBegin' | 'want' | 'ended' | 'mayWait'> | undefined
}

const usualQueue = 10_000

// oxlint-disable-next-line max-lines-per-function -- short steps that share the lines of teams
export function makeTeamPlaces({ now = () => performance.now(), shares }: TeamPlacesOptions = {}): TeamPlaces {
  const lines = new Map<string, Line>()
  const lineOf = (team: string): Line => {
    const line = lines.get(team) ?? { working: 0, most: Infinity, waiting: [] }
    lines.set(team, line)
    return line
  }
  const user: ShareUser = {
    isFew: true,
    usage: (pool) => {
      const { working, waiting } = lines.get(teamIn(pool)) ?? { working: 0, waiting: [] }
      return { running: working, wants: working + waiting.length }
    },
    wake: (pool) => {
      const line = lines.get(teamIn(pool))
      if (line) letIn(teamIn(pool), line)
    },
  }
  const mayEnter = (team: string, { working, most }: Line): boolean =>
    working < most && (shares?.mayBegin(poolOf(team), most, working, user) ?? true)
  const letIn = (team: string, line: Line): void => {
    while (line.waiting.length > 0 && mayEnter(team, line)) {
      line.working += 1
      line.waiting.shift()?.()
    }
    if (line.waiting.length > 0) shares?.want(poolOf(team), line.most, user)
  }
  const leave = (team: string, line: Line): void => {
    line.working -= 1
    letIn(team, line)
    shares?.ended(poolOf(team), line.working)
    dropIdle(team, line)
  }
  const dropIdle = (team: string, line: Line): void => {
    if (line.working === 0 && line.waiting.length === 0 && lines.get(team) === line) lines.delete(team)
  }
  const standInLine = async (team: string, signal: AbortSignal): Promise<Line> => {
    const line = lineOf(team)
    const came = (): void => letIn(team, line)
    await wait(line, signal, { came, left: () => dropIdle(team, line) })
    return line
  }
  // Where others have places too, one that is needed here may have to be asked for first.
  const isFull = ({ waiting }: Line, queue: number): boolean => waiting.length >= (shares ? Math.max(queue, 1) : queue)
  const held = (team: string, line: Line, since: number): HeldPlace => {
    let isHeld = true
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
      const line = lineOf(team)
      line.most = concurrency
      if (line.waiting.length === 0 && mayEnter(team, line)) {
        line.working += 1
        return held(team, line, since)
      }
      if (isFull(line, queue)) throw queueFull(queue)
      let turn: Promise<Line> | undefined
      const stand = (): void => {
        turn = standInLine(team, signal)
      }
      if (!shares) stand()
      else await shares.mayWait(poolOf(team), { most: concurrency, queue, signal, stand }, user)
      if (!turn) throw queueFull(queue)
      return held(team, await turn, since)
    },
    check: (team, { concurrency = Infinity, queue = usualQueue }) => {
      const line = lines.get(team)
      const hasPlace = line === undefined || (line.waiting.length === 0 && line.working < concurrency)
      if (!hasPlace && isFull(line, queue)) throw queueFull(queue)
    },
    count: (team) => {
      const line = lines.get(team)
      return { working: line?.working ?? 0, waiting: line?.waiting.length ?? 0 }
    },
  }
}

function poolOf(team: string): string {
  return `requests ${team}`
}

function teamIn(pool: string): string {
  return pool.slice(pool.indexOf(' ') + 1)
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

/** Waits in line. Its turn counts as working from the moment on that it is given. */
function wait(
  { waiting }: Line,
  signal: AbortSignal,
  { came, left }: { readonly came: () => void; readonly left: () => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const stop = (): void => {
      waiting.splice(waiting.indexOf(turn), 1)
      left()
      reject(signal.reason)
    }
    waiting.push(turn)
    signal.addEventListener('abort', stop, { once: true })
    came()
  })
}

function queueFull(queue: number): EngineError {
  return new EngineError('rate_limited', `${queue} requests of this team wait already. Try again when some are done.`, {
    details: { retryAfter: 5 },
  })
}
