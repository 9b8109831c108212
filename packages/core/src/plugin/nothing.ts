// Schemas of endpoints without input or output.
import { z } from 'zod'

/** Input schema of an endpoint without input. */
export const noInput = z.object({})

/** Output schema of an endpoint that returns nothing. */
export const noOutput = z.void()

/** Type of `noInput`. */
export type NoInput = typeof noInput

/** Type of `noOutput`. */
export type NoOutput = typeof noOutput
