import type { NextConfig } from 'next'

const config: NextConfig = {
  // These packages load worker files from their own folders, so they must not be bundled.
  serverExternalPackages: ['@harvestman/core', '@harvestman/http'],
}

export default config
