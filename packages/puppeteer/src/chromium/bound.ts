import { totalmem } from 'node:os'

import {
  groupRemedy,
  openControlGroups,
  whyNoGroup,
  type ControlGroup,
  type ControlGroups,
} from '@harvestman/ports/adapters'

import { defaultPageMemory, defaultTabs, type BrowserLimits, type PuppeteerOptions } from '../lib/options.ts'

// A session may open more tabs than that, and seldom fills them.
const fullPagesOfSession = 2
// Threads count: a page has about ten, and one more for each of its workers.
const processesOfPage = 500
const processesBeside = 1_000
const shareOfMachine = 0.75

/** What one browser may have: every page all that is allowed to it, and as much again for what serves them. */
export function limitsOf(options: PuppeteerOptions, isLive: boolean): BrowserLimits {
  const { pageMemory = defaultPageMemory, tabs = defaultTabs } = options
  const pages = isLive ? fullPagesOfSession : tabs
  return {
    memory: Math.floor(Math.min(pageMemory * (pages + 1), shareOfMachine * memoryHere())),
    processes: processesBeside + processesOfPage * pages,
    ...options.limits,
  }
}

/** What the system gives to this process and what belongs to it. */
function memoryHere(): number {
  const allowed = process.constrainedMemory()
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem()
}

/** Makes a control group for each browser; none where this system does not let this process make them. */
export function groupMaker(limits: BrowserLimits): () => ControlGroup | undefined {
  let groups: ControlGroups | undefined
  let isKnown = false
  return () => {
    try {
      if (!isKnown) groups = openGroups()
      return groups?.make(limits)
    } catch {
      // It is the last of several bounds: a browser is started without it too.
      return undefined
    } finally {
      isKnown = true
    }
  }
}

function openGroups(): ControlGroups {
  return openControlGroups(['memory'])
}

/** What bounds the browsers of this machine. */
export interface BrowserBounds {
  /** What the kernel bounds of a browser as a whole: `memory`, `pids`, `cpu`. */
  readonly controllers: readonly string[]
  /** Why there is none, and what to do about it. */
  readonly obstacle?: { readonly reason: string; readonly remedy: string }
}

/** Tries it: a control group is made and removed. */
export function browserBounds(): BrowserBounds {
  try {
    return { controllers: openGroups().controllers }
  } catch (error) {
    return { controllers: [], obstacle: { reason: whyNoGroup(error), remedy: groupRemedy } }
  }
}
