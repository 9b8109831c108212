import { appendFileSync, rmSync, statSync, writeSync } from 'node:fs'

import type { MainStack } from './main-stack.ts'
import type { EndSignal } from './signals.ts'

/** Report about a stuck main thread. */
export interface StuckReport {
  /** Milliseconds. */
  readonly stuck: number
  /** Milliseconds of CPU time that the main thread used meanwhile; absent if unknown. */
  readonly cpu: number | undefined
  readonly stack: MainStack
  readonly recent: readonly string[]
  readonly ends: boolean
  /** The signal that the main thread could not handle. */
  readonly signal?: EndSignal | undefined
}

const maxFileBytes = 1_000_000

/** Formats a report as one line of the log: JSON, or text for people. */
export function lineOfReport(report: StuckReport, format: 'json' | 'text', now = new Date()): string {
  const { cpu, stack } = report
  const recent = report.recent.map(withoutSecrets)
  const message = sentenceOf(report)
  const lines = stack.kind === 'stack' ? stack.lines : []
  const facts = { pid: process.pid, ...(cpu !== undefined && { cpuMs: Math.round(cpu) }), stack: lines, recent }
  if (format === 'json')
    return `${JSON.stringify({ time: now.toISOString(), level: 'error', event: 'process.stuck', message, ...facts })}\n`
  const latest = recent.length > 0 ? `\n    latest activities: ${recent.join(', ')}` : ''
  return `${now.toISOString().slice(11, 23)} error process.stuck ${message}${lines.map((line) => `\n    ${line}`).join('')}${latest}\n`
}

/** Removes credentials and the query from the URL in an activity. */
function withoutSecrets(activity: string): string {
  return activity.replaceAll(/\/\/[^/\s]*@/g, '//').replaceAll(/[?#]\S*/g, '?…')
}

function sentenceOf({ stuck, cpu, stack, ends, signal }: StuckReport): string {
  const busy = cpu !== undefined && cpu > stuck / 2
  const how = cpu === undefined ? '' : busy ? ' (busy)' : ' (waiting inside a system call)'
  const where = stack.kind === 'stack' ? '' : ' It runs native code, so there is no JavaScript stack.'
  const signalSentence = signal === undefined ? '' : ` It did not receive ${signal}.`
  const then = ends ? ' This process ends with SIGKILL. Its jobs continue in another process, or after a restart.' : ''
  return `The main thread has been stuck for ${Math.round(stuck / 1000)} s${how}.${where}${signalSentence}${then}`
}

/**
 * Writes to stderr and to the file. Works in any thread, without the main thread. Never throws. A file of more than 1 MB is
 * replaced.
 */
export function writeReport(line: string, file: string | undefined): void {
  attempt(() => void writeSync(2, line))
  if (file === undefined) return
  attempt(() => {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxFileBytes) rmSync(file)
    appendFileSync(file, line, { mode: 0o600 })
  })
}

/** A full pipe or disk must not prevent the process from ending. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // There is nowhere to report this to.
  }
}
