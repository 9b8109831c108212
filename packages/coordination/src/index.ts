// The public exports, listed by name. Anything not listed is private.
export { storeLedger, type StoreLedgerOptions } from './credits/ledger.ts'
export { coordinationKeys } from './keys.ts'
export { sharedPace, type SharedPace } from './hosts/shared-pace.ts'
export { sharedRests, type SharedRests } from './hosts/shared-rests.ts'
export {
  openLoanHelper,
  type LoanHelper,
  type LoanHelperOptions,
  type LoanResult,
  type LoanWork,
} from './loans/helper.ts'
export { openHelpers, noHelpers, type Helpers, type HelpersOptions, type HelpResult } from './loans/owner.ts'
export type { Usage } from './permits/division.ts'
export { openPermits, unshared, type Permits, type PermitUser } from './permits/permits.ts'
export { makeRequestPermits, waitForPermit, type Permit, type RequestPermits } from './permits/requests.ts'
export { openLoads, type Loads } from './workers/loads.ts'
export { openPageCounts, type LoadingPages, type PageCounts } from './workers/page-counts.ts'
export { bodiesInFiles, bodiesInStore, type Bodies, type FileBodiesOptions, type KeepBody } from './records/bodies.ts'
export { areStored } from './records/are-stored.ts'
export { getMany } from './records/get-many.ts'
export { makeGroupCommit, type GroupCommit } from './records/group-commit.ts'
export { heartbeat } from './records/heartbeat.ts'
export { damagedRecord, isDamagedRecord, isNewerRecord, layout, type Layout, type Shape } from './records/layout.ts'
export { areHeld, lease, leaseWatch, type Lease, type LeaseWatch } from './records/lease.ts'
export { listAll } from './records/list-all.ts'
export { addToList } from './records/list.ts'
export {
  canFollow,
  openLog,
  openSegment,
  packSegment,
  segmentsInMemory,
  type Log,
  type LogKit,
  type NewSegment,
  type Segment,
  type SegmentsInMemory,
} from './records/log.ts'
export {
  blockLength,
  firstAbove,
  growingNumbers,
  readBlock,
  type GrowingNumbers,
  type NumberBlocks,
} from './records/number-blocks.ts'
export { withCompressed, decompressFrame, type CompressedFrame } from './records/compression.ts'
export { getOrCreate } from './records/get-or-create.ts'
export { isOtherProcess, isOwnerGone, ownName } from './records/owner.ts'
export { watchKey } from './records/watch.ts'
