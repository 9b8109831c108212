import type { BrowserBounds } from '@harvestman/puppeteer'

import type { Finding } from './finding.ts'

/** What the kernel bounds of each browser as a whole. Without it there are weaker bounds, so it is nothing that is missing. */
export function boundsOf({ controllers, obstacle }: BrowserBounds): Pick<Finding, 'says' | 'fix'> {
  if (obstacle) return { says: `the kernel does not bound it as a whole: ${obstacle.reason}`, fix: obstacle.remedy }
  return { says: `the kernel bounds its ${controllers.join(', ')}` }
}
