export * from '@harvestman/node'
