import { EngineError } from '@harvestman/core'
import type { Jail, Sandbox } from '@harvestman/core/ports'

import { findFurniture } from './bubblewrap.ts'
import { findProgram } from './find.ts'
import { makeJail } from './jail.ts'
import { launchInJail, launchOpenly, type LaunchWish } from './launch.ts'
import { defaultNice, defaultSandboxLimits, type SandboxOptions } from './options.ts'
import { probe } from './probe.ts'

const unfenced =
  'Code of callers runs without a sandbox (unsafe-process): it can do whatever this process can. Use it only where every caller is trusted.'

/** Runs code on this machine. Nothing is started before it is needed; the first jail is preceded by a probe. */
export function localSandbox(options: SandboxOptions = {}): Sandbox {
  const { mode = 'auto', bubblewrap = 'bwrap', python = 'python3', nice = defaultNice } = options
  const limits = { ...defaultSandboxLimits, ...options.limits }
  const jails = new Set<Jail>()
  let opening = 0
  let isClosed = false
  let isProbed: Promise<void> | undefined
  const isFenced = mode !== 'unsafe-process'
  if (!isFenced) options.onWarning?.(unfenced)

  const launch = async () => {
    const wish: LaunchWish = { furniture: findFurniture(), limits, python, nice }
    if (!isFenced) return launchOpenly(wish)
    const program = findProgram(bubblewrap)
    // One that failed is tried again: the operator may have followed the remedy meanwhile.
    isProbed ??= probe(program, wish)
    isProbed.catch(() => (isProbed = undefined))
    await isProbed
    return launchInJail(program, wish)
  }

  return {
    open: async ({ connect }, signal) => {
      signal.throwIfAborted()
      if (isClosed) throw new EngineError('closed', 'The sandbox was closed.')
      if (jails.size + opening >= limits.jails) throw full(limits.jails)
      opening += 1
      try {
        const launched = await launch()
        const jail = await makeJail(launched, connect, limits.output)
        jails.add(jail)
        jail.gone.addEventListener('abort', () => jails.delete(jail), { once: true })
        if (!isClosed && !signal.aborted) return jail
        await jail.close()
        throw signal.aborted ? signal.reason : new EngineError('closed', 'The sandbox was closed.')
      } finally {
        opening -= 1
      }
    },
    close: async () => {
      isClosed = true
      await Promise.all([...jails].map((jail) => jail.close()))
    },
  }
}

function full(most: number): EngineError {
  return new EngineError(
    'too_many_sessions',
    `Code runs in ${most} sessions already, and no more are allowed. Stop one of them.`,
  )
}
