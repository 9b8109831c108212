import type { NextConfig } from 'next'

const config: NextConfig = {
  // These load the files of their worker threads from their own folder, so they stay outside of the bundle.
  serverExternalPackages: ['@harvestman/core', '@harvestman/http'],
}

export default config
