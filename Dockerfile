# Parlor's server. `docker build -t parlor .`; see docs/guides/operations.md.

FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund
RUN npm run pack -- --output /packed
WORKDIR /app
RUN npm init --yes && npm install --omit=dev --no-audit --no-fund /packed/*.tgz

FROM node:24-bookworm-slim
ENV NODE_ENV=production PARLOR_HOST=0.0.0.0 PARLOR_PORT=4141 PARLOR_DATA=/data
COPY --from=build /app /app
RUN install -d -o node -g node -m 0700 /data && install -d -o node -g node /agents
# Your parlor.config.ts, if you have one, goes here.
WORKDIR /agents
USER node
VOLUME /data
EXPOSE 4141
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PARLOR_PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/node_modules/parlor/dist/bin.js"]
CMD ["serve"]
