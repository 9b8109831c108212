import type { BrowserBounds } from '@harvestman/puppeteer'

import type { Finding } from './finding.ts'

/**
 * Describes the kernel limits of each browser as a whole. Without them weaker limits apply, so this alone does not make the
 * check fail.
 */
export function boundsOf({ controllers, obstacle }: BrowserBounds): Pick<Finding, 'message' | 'fix'> {
  if (obstacle) return { message: `the kernel does not limit it as a whole: ${obstacle.reason}`, fix: obstacle.remedy }
  return { message: `the kernel limits its ${controllers.join(', ')}` }
}
