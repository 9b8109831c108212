export { boundsHere, type BoundsHere } from './here.ts'
export { localSandbox } from './sandbox.ts'
export type { SandboxOptions } from './options.ts'
export { sandboxBounds, sandboxModes, type SandboxBound, type SandboxMode } from '@harvestman/ports'
