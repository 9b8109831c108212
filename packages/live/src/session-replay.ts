export * from '@harvestman/session-replay'
