export * from '@harvestman/manners'
