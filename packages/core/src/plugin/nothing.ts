// Schemas of endpoints that take or return nothing.
import { z } from 'zod'

/** Input of an endpoint without any. */
export const noInput = z.object({})

/** Output of an endpoint that returns nothing. */
export const noOutput = z.void()

/** Type of `noInput`. */
export type NoInput = typeof noInput

/** Type of `noOutput`. */
export type NoOutput = typeof noOutput
