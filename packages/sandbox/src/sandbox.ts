import { basename, isAbsolute } from 'node:path'

import { codeLanguages, EngineError, type Jail, type Sandbox } from '@harvestman/ports'
import type { GroupLimits } from '@harvestman/toolbox/control-groups/bounds'

import { findFurniture, findOwnFurniture } from './bubblewrap.ts'
import { findProgram } from './find.ts'
import { groupsHere } from './here.ts'
import { makeJail } from './jail.ts'
import { launchInJail, launchOpenly } from './launch.ts'
import { defaultNice, defaultSandboxLimits, type SandboxLimits, type SandboxOptions } from './options.ts'
import { probe } from './probe.ts'

const unfenced =
  'Code of callers runs without a sandbox (unsafe-process): it can do whatever this process can. Use it only where every caller is trusted.'

/**
 * Creates a sandbox that runs code on this host. Nothing starts until it is needed, and a probe checks the isolation before the
 * first jail, except with `unsafe-process`. Opening a jail rejects with `not_configured` if the host lacks something,
 * `too_many_sessions` above the limit of open jails, by default 16, and `closed` after `close`.
 */
export function localSandbox(options: SandboxOptions = {}): Sandbox {
  const { mode = 'auto', bound = 'kernel', bubblewrap = 'bwrap', python = 'python3', nice = defaultNice } = options
  const limits = { ...defaultSandboxLimits, ...options.limits }
  const jails = new Set<Jail>()
  let opening = 0
  let isClosed = false
  const isFenced = mode !== 'unsafe-process'
  if (!isFenced) options.onWarning?.(unfenced)

  const groups = once(async () => groupsHere())
  const makeGroup = async () => (bound === 'kernel' ? (await groups()).make(groupLimits(limits)) : undefined)
  const furniture = once(() => (isFenced ? findFurniture(python) : findOwnFurniture()))
  const makeWish = async () => ({ furniture: await furniture(), limits, python, nice, isWatched: bound === 'watched' })
  const probed = once(async () => probe(findProgram(bubblewrap), await makeWish(), await makeGroup()))

  const launch = async () => {
    if (!isFenced) return launchOpenly(await makeWish())
    await probed()
    return launchInJail(findProgram(bubblewrap), await makeWish(), await makeGroup())
  }

  return {
    open: async (options, signal) => {
      signal.throwIfAborted()
      if (isClosed) throw new EngineError('closed', 'The sandbox was closed.')
      if (jails.size + opening >= limits.jails) throw full(limits.jails)
      opening += 1
      try {
        const launched = await launch()
        const jail = await makeJail(launched, options, limits)
        jails.add(jail)
        jail.gone.addEventListener('abort', () => jails.delete(jail), { once: true })
        if (!isClosed && !signal.aborted) return jail
        await jail.close()
        throw signal.aborted ? signal.reason : new EngineError('closed', 'The sandbox was closed.')
      } finally {
        opening -= 1
      }
    },
    languages: async () => {
      try {
        if (isFenced) await probed()
      } catch {
        return []
      }
      const { root } = await furniture()
      const has = (name: string): boolean =>
        isFenced ? root.has(`/usr/bin/${basename(name)}`) : isAbsolute(findProgram(name))
      const programs = { node: process.execPath, python, bash: 'bash' }
      return codeLanguages.filter((language) => language === 'node' || has(programs[language]))
    },
    close: async () => {
      isClosed = true
      await Promise.all([...jails].map((jail) => jail.close()))
    },
  }
}

// The sandbox's own processes. The limit for code is enforced per user, separately.
const ownProcesses = 8

function groupLimits({ memory, processes, processors }: SandboxLimits): GroupLimits {
  return { memory, processes: processes + ownProcesses, processors }
}

/** Caches the result of a function. Failures are not cached, because the operator may fix the cause in the meantime. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    made.catch(() => (made = undefined))
    return made
  }
}

function full(most: number): EngineError {
  return new EngineError(
    'too_many_sessions',
    `Code already runs in ${most} sessions, which is the maximum. Stop one of them.`,
  )
}
