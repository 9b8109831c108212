import { claim } from '@harvestman/core/plugin'
import { z } from 'zod'

/** Claims of a result, in the status of a job. */
export const claims = z
  .array(claim)
  .optional()
  .describe('The values or sentences of the result, with the passages of the pages that they are based on.')
