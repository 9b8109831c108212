// Result schemas of the endpoints of live browsers.
import { codeLanguages } from '@harvestman/ports'
import { z } from 'zod'

import { pageToolSchema } from '../page-tools/page-tools.ts'
import { endReasons, type SessionEndReason } from '../sessions/records.ts'

const url = z.string().nullable()

/** URLs of a live browser. Each contains a token that grants access. */
const urls = {
  cdpUrl: z.string().describe('The URL for clients of the DevTools protocol, such as Puppeteer and Playwright.'),
  liveViewUrl: url.describe('A page that shows the live browser.'),
  interactiveLiveViewUrl: url.describe('A page that shows the live browser and accepts input.'),
}

const executed = {
  success: z.boolean(),
  stdout: z.string(),
  result: z.string().nullable(),
  stderr: z.string(),
  exitCode: z.number(),
  killed: z.boolean(),
  truncated: z.boolean().optional(),
  error: z.string().optional(),
}

/** The result of code. */
export const executedSchema = z.object(executed).meta({ id: 'Executed', description: 'The result of code.' })

/** The result of code or of a task in the browser of a scrape. */
export const interactedSchema = z
  .object({
    ...executed,
    ...urls,
    sessionId: z.string(),
    output: z.string().nullable().optional().describe('The answer to a task.'),
  })
  .meta({ id: 'Interacted', description: 'The result of code or of a task, and its browser.' })

/** Duration and price of a live browser that has ended. */
export const stoppedSchema = z
  .object({ sessionDurationMs: z.number(), creditsBilled: z.number(), cleanupQueued: z.literal(false) })
  .meta({ id: 'BrowserEnd', description: 'The duration and the price of a live browser that has ended.' })

/** A new live browser. */
export const openedSchema = z
  .object({ id: z.string(), ...urls, expiresAt: z.string() })
  .meta({ id: 'OpenedBrowser', description: 'A new live browser.' })

const known = {
  id: z.string(),
  cdpUrl: z.string(),
  liveViewUrl: z.string(),
  interactiveLiveViewUrl: z.string(),
  streamWebView: z.boolean(),
  createdAt: z.string(),
  lastActivity: z.string(),
}

/** A live browser in a list. Its URLs are empty if it has ended or runs in another engine. */
export const listedSchema = z
  .object({ ...known, status: z.enum(['active', 'destroyed']) })
  .meta({ id: 'ListedBrowser', description: 'A live browser in a list.' })

/** The state of a live browser. */
export const stateSchema = z
  .object({
    ...known,
    status: z.enum(['running', 'stopped']),
    expiresAt: z.string(),
    languages: z
      .array(z.enum(codeLanguages))
      .optional()
      .describe('The languages in which code can run. Present while the live browser is open.'),
    sessionDurationMs: z.number().optional(),
    creditsBilled: z.number().optional(),
    endedAt: z.string().optional(),
    endReason: z
      .enum(Object.keys(endReasons) as [SessionEndReason])
      .optional()
      .describe('Why the live browser ended, if known.'),
  })
  .meta({ id: 'BrowserState', description: 'The state of a live browser.' })

/** The tools that the page in a live browser declares. */
export const pageToolsSchema = z
  .object({
    tools: z.array(pageToolSchema),
    omitted: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .describe('Tools that cannot be called, with the reason.'),
  })
  .meta({ id: 'PageTools', description: 'The tools that the page in a live browser declares to models.' })

/** A link to the live view of a live browser. */
export const sharedSchema = z
  .object({
    id: z.string(),
    url: z.string().describe('The URL of the live view, without input. It needs no API key.'),
    createdAt: z.string(),
    expiresAt: z.string(),
  })
  .meta({ id: 'BrowserShare', description: 'A link to the live view of a live browser.' })
