import { z } from 'zod'

import type { LiveSession } from '../sessions/session.ts'
import type { PersonRequest } from './requests.ts'

/** A page that needs a person, for the host application. */
export interface PersonNeeded extends PersonRequest {
  readonly team: string
  /** Opens a live browser with the profile at the page. It saves the profile when it ends. */
  open(): Promise<LiveSession>
  /** Ends the request: the live browser is closed, the profile is saved, and the pages are loaded again. */
  done(): Promise<void>
  /** Ends the request: the pages fail. */
  fail(): Promise<void>
}

/** Called when a page needs a person. Waiting continues until the request has ended. A rejection is reported as a warning. */
export type OnPersonNeeded = (needed: PersonNeeded) => Promise<void> | void

/** The options of `people`. */
export const peopleOptionsSchema = z.strictObject({
  /** Public URL of the server, for links to people. Without it, links are only in responses of the server. */
  publicUrl: z
    .string()
    .meta({ title: 'Public URL', description: 'The URL at which people reach the server.' })
    .optional(),
  /** Receiver of links if a request has no webhook. */
  webhook: z.string().meta({ title: 'Webhook', description: 'The URL that receives links to people.' }).optional(),
  onNeeded: z
    .custom<OnPersonNeeded | undefined>((given) => given === undefined || typeof given === 'function', {
      error: 'must be a function',
    })
    .meta({ title: 'Callback', description: 'Called when a page needs a person.' })
    .optional(),
})

/** The options of `people`. */
export type PeopleOptions = Readonly<z.input<typeof peopleOptionsSchema>>
