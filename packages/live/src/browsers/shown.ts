// Formats live browsers, their share links and the results of code for the API.
import type { CodeResult } from '@harvestman/ports'
import type { z } from 'zod'

import type { Live } from '../live-port.ts'
import type { LiveSession } from '../sessions/session.ts'
import type { SessionEnd, SessionRecord } from '../sessions/records.ts'
import type { SessionShare } from '../sessions/shares.ts'
import type { TaskRun } from '../task/step.ts'
import type { executedSchema, listedSchema, openedSchema, sharedSchema, stateSchema, stoppedSchema } from './results.ts'

/**
 * Returns the URLs of a live browser. Anyone with a URL has access until the browser ends, because it contains a
 * token. `at` is the base URL of the server. Without a live view its URLs are null.
 */
export function urlsOf(at: string, { id, streamWebView, tokens }: LiveSession) {
  const view = `${at}/live/${id}?token=`
  return {
    cdpUrl: `${at.replace(/^http/, 'ws')}/cdp/${id}?token=${tokens.cdp}`,
    liveViewUrl: streamWebView ? view + tokens.view : null,
    interactiveLiveViewUrl: streamWebView ? view + tokens.control : null,
  }
}

type Executed = z.input<typeof executedSchema>

// Exit code of shells for a process that was killed by SIGKILL.
const killedCode = 137

/**
 * Formats the result of code. If the code has no `exitCode`, it is 137 for killed code and otherwise 1. `error` is absent on
 * success.
 */
export function showExecuted(done: CodeResult): Executed {
  const { stdout, stderr, result = null, exitCode, killed, truncated, error } = done
  const success = exitCode === 0 && !killed
  return {
    ...{ success, stdout, result, stderr, killed },
    exitCode: exitCode ?? (killed ? killedCode : 1),
    ...(truncated && { truncated }),
    ...(!success && { error: error ?? 'Execution failed' }),
  }
}

/**
 * Formats the result of a prompt like a result of code: its answer is `output`, its steps are the standard output, and the page
 * is the result.
 */
export function showRun({ success, answer, steps, page, error }: TaskRun): Executed & { output: string } {
  const lines = steps.map(
    ({ action, outcome, note }) => `${outcome}: ${JSON.stringify(action)}${outcome === 'done' ? '' : ` (${note})`}`,
  )
  return {
    ...{ success, output: answer, stdout: lines.join('\n'), result: page.text, stderr: error ?? '' },
    ...{ exitCode: success ? 0 : 1, killed: false },
    ...(!success && { error: error ?? 'Execution failed' }),
  }
}

/** Formats a new live browser, with its URLs. `at` is the base URL of the server. */
export function showOpened(at: string, session: LiveSession): z.input<typeof openedSchema> {
  return { id: session.id, ...urlsOf(at, session), expiresAt: new Date(session.expiresAt).toISOString() }
}

/** Formats the end of a live browser. The duration is in milliseconds. */
export function showStopped({ duration, credits }: SessionEnd): z.input<typeof stoppedSchema> {
  return { sessionDurationMs: duration, creditsBilled: credits, cleanupQueued: false }
}

interface Shown {
  readonly live: Live
  readonly team: string
  readonly at: string
}

/**
 * Formats a live browser for a list. Its URLs are empty strings if it has ended, runs in another engine or cannot be read;
 * those of the live view also without one. Never rejects.
 */
export async function showListed(record: SessionRecord, shown: Shown): Promise<z.input<typeof listedSchema>> {
  const { id, streamWebView, createdAt, lastActivity, end } = record
  const urls = end ? undefined : await urlsFor(record, shown)
  return {
    id,
    status: end ? 'destroyed' : 'active',
    cdpUrl: urls?.cdpUrl ?? '',
    liveViewUrl: urls?.liveViewUrl ?? '',
    interactiveLiveViewUrl: urls?.interactiveLiveViewUrl ?? '',
    streamWebView,
    createdAt: new Date(createdAt).toISOString(),
    lastActivity: new Date(lastActivity).toISOString(),
  }
}

/**
 * Formats the state of a live browser: with languages while it runs, with its price after it has ended. Its URLs are empty
 * strings if it has ended, runs in another engine or cannot be read; those of the live view also without one. Rejects if the
 * languages of the sandbox cannot be read.
 */
export async function showState(record: SessionRecord, shown: Shown): Promise<z.input<typeof stateSchema>> {
  const { end, expiresAt } = record
  const { status: _, ...known } = await showListed(record, shown)
  return {
    ...known,
    status: end ? 'stopped' : 'running',
    expiresAt: new Date(expiresAt).toISOString(),
    ...(!end && { languages: [...(await shown.live.languages())] }),
    ...(end && {
      sessionDurationMs: end.duration,
      creditsBilled: end.credits,
      endedAt: new Date(end.at).toISOString(),
      ...(end.reason && { endReason: end.reason }),
    }),
  }
}

async function urlsFor({ id }: SessionRecord, { live, team, at }: Shown) {
  try {
    return urlsOf(at, await live.find(id, { team }))
  } catch {
    return undefined
  }
}

/** Formats a share link of a live browser. `at` is the base URL of the server. */
export function showShare(at: string, session: string, share: SessionShare): z.input<typeof sharedSchema> {
  const { id, token, createdAt, expiresAt } = share
  return {
    id,
    url: `${at}/live/${session}?token=${token}`,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}
