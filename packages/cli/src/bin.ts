#!/usr/bin/env node
import { run } from "parlor"

process.exitCode = await run(process.argv)
